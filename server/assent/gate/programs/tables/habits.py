"""The table of habits: flags that exceed a rule, and flags that only sound so."""

from typing import Final

from assent.gate.programs.habits import CHECKER, INTERPRETER, RUNNER, Habit

__all__ = ["HABITS"]

_CONTAINER: Final = (
    "-v=!widen --volume=!widen --mount=!widen --privileged!widen --pid=!widen --ipc=!widen"
    " --volume-driver=!widen --sysctl=!widen --cgroup-parent=!widen"
    " --uts=!widen --userns=!widen --cgroupns=!widen --network=!widen --net=!widen"
    " --device=!widen --device-cgroup-rule=!widen --cap-add=!widen"
    " --security-opt=!widen --volumes-from=!widen --gpus="
    " -e=!tell -p= -w= -u= -h= -l= -m= -c= -a= -i -t -d -P -q -T --name= --env=!tell --env-file="
    " --user="
    " --workdir= --entrypoint= --hostname= --add-host= --platform= --publish= --label="
    " --restart= --memory= --cpus= --tmpfs= --rm --init --read-only --detach --interactive --tty"
    " --group-add= --no-healthcheck --quiet --rootfs!widen --runtime=!run --init-path=!run"
    " --pod-id-file=!write --conmon-pidfile=!write"
    " --pull= --shm-size= --network-alias= --health-cmd= --sig-proxy --no-deps"
    " --use-aliases --service-ports --env-host!tell --cidfile=!write --pidfile=!write"
)
_SERVED: Final = "--host= --hostname= --address= --socket= --port="
"""A program that serves binds to these, and is not sent there."""

HABITS: Final = (
    # Clusters and clouds.
    Habit(
        names="kubectl, oc",
        flags="-n= -o= -l= -f= -k= -c= -L= -v= -R -i -t -p -q -w -A!widen --all-namespaces!widen"
        " -s=!steer --server=!steer --host=!steer --token=!widen --kuberc=!steer"
        " --output= --raw= --overwrite --export --namespace= --context=!steer --cluster=!steer"
        " --user=!widen --username=!widen --password=!widen --client-certificate=!widen"
        " --client-key=!widen --tls-server-name=!steer"
        " --selector= --filename= --container= --server-side --dry-run? --image= --show-labels"
        " --sort-by= --field-selector= --tail="
        " --since= --timeout= --type= --patch= --replicas= --prune!delete"
        " --profile-output=!write",
    ),
    Habit(
        names="kubectl get, kubectl describe, kubectl logs, kubectl top, kubectl events,"
        " kubectl wait, oc get, oc describe",
        flags="-A --all-namespaces --raw=!tell --context=!live --cluster=!live",
        away="--raw",
    ),
    Habit(
        names="kubectl rollout status, kubectl rollout history, kubectl version, kubectl explain,"
        " kubectl config view, kubectl diff",
        flags="--context=!live --cluster=!live",
    ),
    Habit(
        names="kubectl get secret, kubectl get secrets, oc get secret, oc get secrets",
        flags="-o=!tell --output=!tell --template=!tell",
    ),
    Habit(names="kubectl delete", each=2, flags="--all!widen"),
    Habit(names="kubectl apply, oc apply", flags="--force?!delete --force-conflicts?!widen"),
    Habit(names="kubectl kustomize, kustomize build", flags="--load-restrictor=!widen"),
    Habit(names="kubectl scale, kubectl rollout restart, oc scale", flags="--all!widen"),
    Habit(names="kubectl port-forward, kubectl proxy", flags="--address=!widen"),
    Habit(names="kubectl auth", flags="--as= --as-group="),
    Habit(names="bazel, bazelisk", away="."),
    Habit(
        names="aws logs, aws ssm, aws secretsmanager, aws iam, aws cloudwatch",
        flags="--name= --names= --path= --log-group-name= --log-group-names= --secret-id= --prefix="
        " --log-group-name-prefix= --log-group-identifier= --log-stream-name= --path-prefix=",
        away=". --name --names --path --log-group-name --log-group-names --secret-id --prefix"
        " --log-group-name-prefix --log-group-identifier --log-stream-name --path-prefix",
    ),
    Habit(names="az", flags="--ids= --scope= --resource=", away="--ids --scope --resource"),
    Habit(
        names="helm",
        flags="-n= -o= -f= -A!widen -a -q -g -i -l= --output= --set= --values= --version="
        " --namespace= --repo=!steer --kube-context=!steer --kube-as-user=!widen"
        " --kube-as-group=!widen --kube-token=!widen --kube-ca-file=!steer"
        " --kube-tls-server-name=!steer --kube-insecure-skip-tls-verify!steer",
    ),
    Habit(
        names="helm list, helm ls, helm status, helm get, helm history, helm template, helm diff",
        flags="-A --all-namespaces --kube-context=!live",
    ),
    Habit(
        names="k9s, stern, flux, istioctl, argo, velero, cilium, linkerd",
        flags="--context=!live --kube-context=!live -n= -l= -o= -A",
    ),
    Habit(
        names="aws, gcloud, az, gsutil",
        flags="--output= --query= --profile=!live --region= --project=!live --format= --export"
        " --method= --resource= --delete --no-verify-ssl!steer --configuration=!steer"
        " --account=!widen"
        " --flags-file=!steer --acl=!widen --output-file=!write -o= -g= -n=",
    ),
    Habit(names="aws s3 sync", flags="--delete!delete"),
    Habit(
        names="terraform, tofu, packer, terragrunt",
        words=True,
        flags="--out=!made --var= --var-file= --target= --replace= --input= --lock= --refresh="
        " --parallelism= --backend= --backend-config=!place --plugin-dir=!run --from-module=!steer"
        " --chdir=!place --state=!place --state-out=!write --generate-config-out=!write --write="
        " --json --no-color --upgrade --auto-approve --destroy --module= --filter= --raw"
        " --reconfigure --migrate-state --compact-warnings --detailed-exitcode --check --recursive",
    ),
    Habit(names="terraform fmt, tofu fmt", kind=CHECKER, words=True),
    Habit(names="terraform apply, tofu apply", words=True, each=1, flags="--destroy!delete"),
    Habit(names="vault, consul, nomad", words=True),
    Habit(
        names="ansible, ansible-playbook",
        each=1,
        flags="-i=!hosts -e=!steer --extra-vars=!steer -l= -t= -m= -a= -u= -f= -b -C -D -K -k -v"
        " --become"
        " --tags= --limit= --check --diff --inventory=!hosts --user= --connection= -c="
        " --module-name="
        " --args= --ssh-common-args=!run --ssh-extra-args=!run --sftp-extra-args=!run"
        " --scp-extra-args=!run -M=!run --playbook-dir=!place --vault-password-file=!run"
        " --vault-id=!run --become-password-file=!run --connection-password-file=!run"
        " --become-user= --become-method= --private-key=!tell",
    ),
    # Containers.
    Habit(
        names="docker, podman, nerdctl",
        flags="-H=!steer --host=!steer --config=!steer --context=!live -c=!live -l= -D"
        " --url=!steer",
    ),
    Habit(
        names="docker run, docker create, docker container run, docker container create,"
        " podman run, podman create, nerdctl run, docker compose run, docker-compose run",
        flags=_CONTAINER,
    ),
    Habit(
        names="docker exec, docker container exec, podman exec, nerdctl exec, docker compose exec,"
        " docker-compose exec, podman container exec",
        flags="-e=!tell -u= -w= -i -t -d -T -l --env=!tell --user= --workdir= --index="
        " --privileged!widen",
    ),
    Habit(
        names="docker build, docker buildx build, docker image build, podman build",
        flags="-t= -f= -q -o=!write --output=!write --allow=!widen --network=!widen --target="
        " --build-context=!place"
        " --build-arg=!tell --tag= --file= --platform= --progress= --cache-from= --label="
        " --cache-to=!write --iidfile=!write --metadata-file=!write --secret= --ssh=!widen"
        " --add-host=!steer --push!send --load -v=!widen --volume=!widen --no-cache",
    ),
    Habit(
        names="docker compose, docker-compose, podman compose",
        flags="-f= -p= -d -e= -u= -w= -T -a -q -n= -c=!live --context=!live --file= --env-file="
        " --profile= --project-name="
        " --project-directory=!place --tail= --follow --volumes -v --build --scale=",
    ),
    Habit(names="docker compose build, docker-compose build", flags="--push!send"),
    Habit(
        names="docker compose up, docker-compose up, podman compose up",
        flags="-V!delete --renew-anon-volumes!delete",
    ),
    Habit(
        names="docker compose down, docker-compose down, docker compose rm",
        flags="-v!delete --volumes!delete --rmi=!delete",
    ),
    Habit(
        names="docker system prune, docker volume prune, docker image prune, podman system prune,"
        " podman volume prune",
        flags="--volumes!delete -a!delete --all!delete",
    ),
    Habit(
        names="docker images, docker ps, docker inspect, docker logs, docker pull, docker push",
        flags="-a -q -f --filter= --format= -n= -l -s --size --since= --tail= -t",
    ),
    # What reaches hosts.
    Habit(names="curl", each=1, flags="--next!steer --url=!steer --proto-redir=!steer"),
    Habit(names="wget, wget2", each=1),
    Habit(names="ping, dig, host, nslookup, whois, traceroute, nmap, telnet, nc, ncat", each=1),
    Habit(names="http, https, xh, httpie", flags="--json --form --headers --body --verify="),
    Habit(names="scp, rsync", each=2),
    Habit(names="rsync", flags="--host=!steer"),
    Habit(
        names="psql, pg_dump, pg_restore, createdb, dropdb, pg_dumpall",
        each=1,
        flags="-h=!steer --host=!steer -d= -U= -p= --port= --username= --dbname= -f=!write"
        " --file=!write",
    ),
    Habit(names="psql", each=1, flags="-f<!run --file<!run"),
    Habit(
        names="mysql, mariadb, mysqldump, mycli",
        each=1,
        flags="-h=!steer --host=!steer -e= --execute= -u= -p? -P= -D= -S= -N -B -s -t -v -A"
        " --user= --password? --port= --database= --protocol= --default-auth=!run --tee=!write"
        " --defaults-file=!steer --defaults-extra-file=!steer --defaults-group-suffix="
        " --dns-srv-name=!steer --login-path=!steer --local-infile?!widen"
        " --load-data-local-dir=!widen"
        " --silent --batch --table",
    ),
    Habit(
        names="redis-cli, valkey-cli",
        flags="-h=!steer -u=!steer --eval=!run --rdb=!write --functions-rdb=!write -p= -a= -n= -r="
        " -i= --raw --csv --scan --pattern= --bigkeys",
    ),
    Habit(names="duckdb", flags="-c= -json -csv -box -readonly -line -markdown"),
    Habit(
        names="sqlite3",
        flags="-batch -cmd= -csv -json -header -column -readonly -line -interactive!write",
        writes=r"\A--?A",
    ),
    Habit(
        names="gh, glab",
        flags="--hostname=!steer --repo=!steer -R=!steer --admin!widen --log --body-file= --web"
        " -q=!jq --jq=!jq",
    ),
    Habit(
        names="gh pr create, gh pr comment, gh pr edit, gh pr merge, gh pr review, gh pr close,"
        " gh issue create, gh issue comment, gh issue edit, gh issue close, gh release create,"
        " gh release upload, glab mr create, glab mr note, glab issue create",
        flags="-R=!send --repo=!send",
    ),
    Habit(
        names="gh api, glab api",
        away=".",
        flags="--host=!steer -X=!steer --method=!steer -f=!send -F=!send --field=!send"
        " --raw-field=!send --input=!send -H= -t= -p= --header= --template= --cache="
        " --paginate --slurp -i --include --silent --verbose",
    ),
    Habit(
        names="systemctl, journalctl, loginctl, hostnamectl, timedatectl",
        flags="-H=!steer --host=!steer -M=!steer --machine=!steer -u= -n= -p= -o= -t= -S= -U= -g="
        " -l -f -b? -k -e -x -r -a --output= --unit= --since= --until= --vacuum-time=!delete"
        " --vacuum-size=!delete --vacuum-files=!delete --rotate!write",
    ),
    Habit(names="rm, rmdir, systemctl start, systemctl stop, systemctl restart", each=1),
    Habit(
        names="protoc",
        kind=RUNNER,
        # Where a project keeps the programs that it brought in, its own scripts do not lie.
        runs=r"\A(?:--plugin=)?(?!\S*(?<![\w-])(?:node_modules|bin|vendor|build)/)"
        r"(?:protoc-gen-[\w-]+=\S*/|\S*/protoc-gen-[\w.-]+\Z)",
        flags="--plugin=",
    ),
    Habit(
        names="git push",
        flags="--mirror!widen --all!widen --branches!widen",
        sends=r"\A[^-\s]*\*|\A\+?:\Z",
    ),
    Habit(
        names="git push, git fetch, git pull, git send-pack, git http-push, git http-fetch,"
        " git subtree",
        each=2,
        flags="--host=!steer",
    ),
    Habit(names="git add, git stage", flags="-f!ignored --force!ignored"),
    Habit(names="git stash, git stash push, git stash save", flags="-a!ignored --all!ignored"),
    # Each of these takes the path of a script for the name of a tool.
    Habit(names="git difftool, git mergetool", flags="-t=!place --tool=!place"),
    Habit(names="git instaweb", flags="-d=!run --httpd=!run -b=!run -m=!run --browser=!run"),
    # What brings in packages.
    Habit(
        names="pip install, pip3 install, uv pip install, pip download, pip wheel, pip3 download",
        each=1,
        flags="-i=!steer -f=!steer"
        " --trusted-host=!steer --proxy=!steer -r= -c= -e= -t> -U -q -v --config-settings=!run"
        " --global-option=!run --no-index --no-build-isolation --pre --user --requirement="
        " --editable= --constraint= --upgrade --break-system-packages!widen",
    ),
    Habit(names="pip, pip3", flags="-f= --outdated --user --settings="),
    Habit(names="npm audit fix, pnpm audit --fix, yarn audit fix", beyond="load"),
    Habit(
        names="npm, pnpm",
        kind=RUNNER,
        flags="--git=!run --viewer=!run --editor=!run --shell=!run --onload-script=!run"
        " --init-module=!run --browser=!run --registry=!steer --script-shell=!run"
        " --node-options=!run --userconfig<!run --globalconfig<!run --reporter= --filter= -F= -r"
        " --prefix=!place -C=!place --dir=!place --proxy=!steer --https-proxy=!steer --fix",
    ),
    Habit(names="npm view, npm outdated, npm info, npm search", flags="-g --json"),
    Habit(
        names="npm install, npm i, npm add, npm ci, pnpm install, pnpm add, yarn add, bun add,"
        " bun install, gem install, cargo add, cargo install, brew install, apt install,"
        " apt-get install,"
        " poetry add, uv add, pipenv install, composer require, go install, dotnet add",
        each=1,
    ),
    Habit(
        names="npx, pnpx, bunx, npm exec, npm x, pnpm exec, pnpm dlx",
        flags="-c=!run --call=!run -p= --package= -y -q",
    ),
    Habit(names="yarn, bun", kind=RUNNER, flags="--cwd=!place --use-yarnrc=!steer"),
    Habit(names="poetry, pipenv, pdm, hatch", flags="-C=!place --source=!steer --directory=!place"),
    Habit(
        names="uv",
        flags="--index=!steer -p=!tool --python=!tool -q -v --index-strategy="
        " --directory=!place --project=!place"
        " -w=!run --with=!run --with-editable=!run --with-requirements=!run",
    ),
    Habit(
        names="gem, bundle",
        flags="-s=!steer --source=!steer -j= --gemfile=!place --path= --without= --with=",
    ),
    Habit(names="composer", flags="-d=!place --working-dir=!place --repository=!steer -q -n -v"),
    Habit(
        names="apt, apt-get",
        flags="-o=!run --option=!run -c=!steer -t= -y -q -f -s -u -V",
    ),
    Habit(names="conda, mamba", flags="-n= -y -q -p= --name= --file= --export"),
    # What runs a project's own code.
    Habit(
        names="make, gmake",
        kind=RUNNER,
        recipes=True,
        each=1,
        flags="-E=!run --eval=!run -f=!place --file=!place --makefile=!place -C=!place"
        " --directory=!place -I=!place -j? -l? -o= -O? -W= -k -n -s -B -b -d -e -i -L -m -p -q -r"
        " -R -S -t -v -w --output-sync? --debug? --shuffle?",
    ),
    Habit(
        names="just",
        kind=RUNNER,
        recipes=True,
        flags="-c=!run --command=!run --chooser=!run --shell=!run --shell-command=!run -f=!place"
        " --justfile=!place -d=!place --working-directory=!place",
    ),
    Habit(
        names="pandoc",
        flags="-F=!run --filter=!run -L=!run -t=!form -f=!form -r=!form -w=!form --to=!form"
        " --from=!form --read=!form --write=!form -o= --pdf-engine=!run --lua-filter=!run"
        " --pdf-engine-opt=!run -d=!steer --defaults=!steer",
    ),
    Habit(
        names="latexmk, pdflatex, xelatex, lualatex, latex, tex, pdftex",
        kind=RUNNER,
        words=True,
        flags="--e=!run --r=!run --usepretex=!run --pretex=!run --pdflatex=!run --latex=!run"
        " --xelatex=!run --lualatex=!run"
        " --shell-escape!run --enable-write18!run --cnf-line=!run --pdf --c --C --silent"
        " --interaction= --output-directory=!place --outdir=!place --halt-on-error",
    ),
    Habit(names="tcpdump, tshark, dumpcap", flags="-z=!run -w=!write -r= -i= -c= -n -v -A -X -e"),
    Habit(names="podman, docker", flags="--root= --runtime=!run --module=!steer"),
    Habit(names="just, task, rake, nx, turbo, ant, tox, nox, pre-commit, dune, meson", kind=RUNNER),
    Habit(names="task", recipes=True),
    Habit(names="tox", kind=RUNNER, flags="-c=!place -e= -f= -r -p= -x=!steer --override=!steer"),
    Habit(names="nox", kind=RUNNER, flags="-f=!place -s= -r -R -k= -t= -l -e="),
    Habit(names="pre-commit", kind=RUNNER, flags="--hook-stage= -c=!place -a -v --files="),
    Habit(
        names="rake, ant",
        kind=RUNNER,
        each=1,
        flags="-e=!run -E=!run -p=!run -f=!place -R=!place -r=!load -I=!place",
    ),
    Habit(
        names="mvn, mvnw",
        kind=RUNNER,
        each=1,
        flags="-pl= -am -amd -q -B -o -U -e -X -V -N -ntp -fae -ff -fn -nsu -T= -P= -D= -rf="
        " -l=!report"
        " -f=!place --file=!place -s=!steer --settings=!steer -gs=!steer --global-settings=!steer"
        " -t=!steer --toolchains=!steer --projects= --threads= --log-file=!report",
    ),
    Habit(
        names="gradle, gradlew",
        kind=RUNNER,
        each=1,
        flags="-I=!run --init-script=!run --include-build=!load -p=!place --project-dir=!place"
        " -b=!place --build-file=!place -c=!place --settings-file=!place -g=!place"
        " --gradle-user-home=!place -x= -P= -D= -q -i -d -s -S -m -t -a --tests= --exclude-task="
        " --console= --max-workers= --warning-mode= --project-cache-dir= --configuration="
        " --scan!send",
    ),
    Habit(
        names="cargo",
        kind=RUNNER,
        flags="-p= -j= -q -v -r -F= -e= -i= -Z=!run --config=!steer --index=!steer"
        " --registry=!steer --git=!steer --manifest-path=!place --target-dir= --bin= --test="
        " --bench= --example= --features= --target= --package= --exclude= --profile="
        " --message-format="
        " --color= --jobs= --path=!place --edges= --invert=",
    ),
    Habit(names="cargo clippy", kind=RUNNER, flags="--fix!write"),
    Habit(
        names="go",
        kind=RUNNER,
        words=True,
        flags="--exec=!run --toolexec=!run --vettool=!run --overlay=!run --modfile=!steer"
        " --compiler=!run --gccgoflags=!run --C=!place --o= --run= --skip= --v --x --a --n --p="
        " --race --count= --timeout= --cover --covermode= --coverprofile=!report --coverpkg="
        " --bench="
        " --benchmem --benchtime= --tags= --ldflags= --gcflags= --asmflags= --json --short --mod="
        " --trimpath --work --i --c --list= --failfast --parallel= --cpu= --shuffle="
        " --cpuprofile=!report --memprofile=!report --blockprofile=!report --mutexprofile=!report"
        " --trace=!report --debug-actiongraph=!made --debug-trace=!made --outputdir="
        " --pkgdir= --buildmode= --f= --m --u --e --test --deps --find --fuzz= --fuzztime=",
    ),
    Habit(names="go build", kind=RUNNER, words=True, flags="--o=!hand"),
    Habit(names="go test", kind=RUNNER, words=True, flags="--o=!made"),
    # What a compiler or a linker is handed stands in one word.
    Habit(
        names="go build, go test, go install, go run, go vet",
        kind=RUNNER,
        words=True,
        runs=r"-ext(?:ld|ar)[\s='\"]|-extldflags.*(?:-B|-fuse-ld|-specs|-wrapper|-plugin|@)",
        writes=r"(?:\A-(?:o|\w*profile|asmhdr|symabis|linkobj)\s|.[\s='\"]-"
        r"(?:o|\w*profile|asmhdr|symabis|linkobj)[\s=])",
    ),
    Habit(names="go tool cover", kind=RUNNER, words=True, flags="--o=!report --func= --html="),
    Habit(
        names="trivy",
        flags="--db-repository=!steer --java-db-repository=!steer"
        " --checks-bundle-repository=!steer",
    ),
    Habit(names="rustfmt, cargo fmt", flags="--print-config!write"),
    Habit(
        names="jsonnet",
        flags="-o=!report --output-file=!report -m=!write --multi=!write -J= -V= -A=",
    ),
    Habit(names="go doc", kind=RUNNER, words=True, flags="--http!run"),
    Habit(names="go env", kind=RUNNER, words=True, flags="--w!write --u!write"),
    Habit(
        names="dotnet",
        kind=RUNNER,
        flags="-c= -o= -f= -r= -v= -p= -l= -n -s=!place --settings=!place --source=!steer"
        " --add-source=!steer --configfile=!place --test-adapter-path=!load --configuration="
        " --framework= --project= --filter= --logger= --collect= --output=",
    ),
    Habit(
        names="cmake",
        kind=RUNNER,
        flags="-S=!place -B= -G= -D= -U= -A= -T= -j? -t= -N -L -C=!load -P=!run -E!run --build="
        " --system-information!run"
        " --install= --preset= --target= --config= --parallel? --toolchain=!load --log-level=",
    ),
    Habit(
        names="ctest",
        kind=RUNNER,
        flags="-R= -E= -L= -LE= -j? -V -VV -N -C= -S=!run -SP=!run -D= -O=!report -Q -F -I="
        " --test-dir=!place --build-and-test!run --build-makeprogram=!run --test-command=!run",
    ),
    Habit(names="ninja", kind=RUNNER, flags="-C=!place -f=!place -j= -k= -l= -t= -d= -w= -v -n"),
    Habit(
        names="gcc, g++, cc, c++, clang, clang++, gfortran",
        kind=RUNNER,
        flags="-B=!run -wrapper=!run -fplugin=!run -fplugin-arg= -specs=!run -specs!run -o= -D= -I="
        " -L="
        " -W= -f= -m= -O= -l= -s= -U= -x= -M= -E -S -c -g= -p= -n= -Xclang=!run -load=!run"
        " -fuse-ld=!run -fpass-plugin=!run -fmodule-mapper=!run --plugin=!run"
        " -t= -d= -i= -r= -T= -u= -v -w -z= -q=",
    ),
    Habit(names="rustc", kind=RUNNER, flags="-C= -L= -l= -o= -O -g -W= -A= -D= -F= -Z=!run"),
    Habit(
        names="javac",
        kind=RUNNER,
        words=True,
        flags="--processorpath=!load --processor-path=!load --processor=!load --module-path="
        " --Xplugin=!run --d=",
    ),
    Habit(
        names="bazel, bazelisk",
        kind=RUNNER,
        flags="--run_under=!run --override_repository=!load --bazelrc=!place --config= -c= -k -j=",
    ),
    Habit(
        names="swift, mix, rails, flutter, dart, dbt, sphinx-build, flask, django-admin,"
        " dvc, alembic, stack, cabal, zig, sbt, lein",
        kind=RUNNER,
        flags=_SERVED,
    ),
    Habit(
        names="hugo",
        kind=RUNNER,
        flags=f"{_SERVED} -d= -s=!place -c= -b= -D -E -F --cleanDestinationDir!delete",
    ),
    Habit(names="jupyter", kind=RUNNER, flags="--execute --to= --config=!place --output="),
    Habit(names="swift", kind=RUNNER, flags="-c= --configuration= --toolchain=!run"),
    Habit(
        names="uvicorn, gunicorn, hypercorn, daphne, http-server, serve, puma",
        kind=RUNNER,
        flags=_SERVED,
    ),
    Habit(
        names="pytest, py.test",
        kind=RUNNER,
        flags="-p=!run -c=!place --config-file=!place -o= --override-ini= --pyargs!run"
        " --pdbcls=!run"
        " --co --collect-only -k= -m= -n= -q -v -x -s -l -W= -r= --cov?"
        " --cov-report=!report --html=!made --md=!report --csv=!report --resultlog=!report"
        " --debug?!report --cov-config=!place"
        " --rootdir=!place --confcutdir=!place --junitxml=!report --junit-xml=!report"
        " --import-mode= --basetemp=!delete --tb="
        " --pastebin=!send --tx=!steer"
        " --maxfail= --durations= --timeout= --dist= --ds= --log-level= --color= --capture=",
    ),
    Habit(
        names="jest",
        kind=RUNNER,
        flags="--globalSetup=!run --globalTeardown=!run --setupFiles=!load"
        " --setupFilesAfterEnv=!load --resolver=!run --runner=!run --testRunner=!run"
        " --testSequencer=!run --rootDir=!place"
        " -c=!place --transform=!run --globals= -t= -u -i -w= -o --ci --silent",
    ),
    Habit(
        names="vitest, playwright, mocha, ava, cypress, karma, webpack, vite, rollup, esbuild,"
        " next, nuxt, ng, storybook, tsup, parcel, tsx, ts-node, react-scripts, prisma, wrangler,"
        " astro, expo, c8, nyc, tap, wdio, cucumber-js, lerna, gulp, grunt",
        kind=RUNNER,
        flags=f"{_SERVED} -c=!place -r=!load --require=!load --import=!load --root=!place"
        " --dir=!place --browser= --spec= --reporter= -t= -g= -j= -u -x --url= --base-url="
        " --outDir=!delete --emptyOutDir",
    ),
    Habit(names="cypress", kind=RUNNER, flags="--config= -b= -o=!report"),
    Habit(
        names="mocha",
        kind=RUNNER,
        flags="-O=!report --inspect?!listen --inspect-brk?!listen --inspect-port=!listen",
    ),
    Habit(names="c8, nyc", kind=RUNNER, flags="-o=!report --temp-dir=!report"),
    Habit(names="playwright test", kind=RUNNER, flags="--output=!report"),
    Habit(
        names="rspec, phpunit, codecept, pest, minitest, cucumber",
        kind=RUNNER,
        flags="-c=!place --configuration=!place -r=!load --require=!load --bootstrap=!load -I=!load"
        " -f= -t= -e= -P= -d= --filter= --tag= --format= -o=!report --out=!report",
    ),
    Habit(
        names="gdb, lldb",
        words=True,
        flags="--ex=!run --iex=!run --x=!run --ix=!run --eval-command=!run --command=!run --o=!run"
        " --init-eval-command=!run --init-command=!run --O=!run --s=!run --S=!run --k=!run"
        " --one-line=!run --source=!run",
    ),
    Habit(
        names="nix develop, nix shell, nix run, nix build, nix eval",
        flags="-c=!run --command=!run --expr=!run --option=!steer",
    ),
    Habit(names="fzf", flags="--preview=!run --bind=!run"),
    Habit(names="rubocop, bun test", flags="-r=!run"),
    Habit(
        names="coverage",
        kind=CHECKER,
        flags="-m -i --rcfile=!place --source= --export -o=!report -d=!report",
    ),
    Habit(
        names="bandit, semgrep, trivy, pylint, golangci-lint, deno test, behave, robot, strace,"
        " ltrace, perf, py-spy, hyperfine, cargo llvm-cov",
        flags="-o=!report --output=!report --coverage=!report  --output-path=!report",
    ),
    Habit(names="robot", flags="-d=!report"),
    Habit(names="coverage run", kind=INTERPRETER, flags="--data-file=!report"),
    # What looks through a project.
    Habit(
        names="eslint, tslint, oxlint, biome, stylelint, standard, xo",
        kind=CHECKER,
        flags="--fix!write --fix-type= -o=!report --output-file=!report --rulesdir=!run"
        " --plugin=!run"
        " --parser=!run --resolve-plugins-relative-to=!run -f=!run --formatter=!run --format=!run"
        " -c=!place --config=!place --ext= --rule= --cache --cache-strategy= --cache-file=!report"
        " --cache-location=!report --max-warnings= --env="
        " --global= --ignore-path= --ignore-pattern= --write!write --apply!write --custom-syntax=",
    ),
    Habit(
        names="prettier",
        kind=CHECKER,
        flags="--write!write -w!write -c -l -u --check --list-different --plugin=!run"
        " --plugin-search-dir=!run --config=!place --parser= --log-level= --ignore-path=",
    ),
    Habit(
        names="ruff, black, isort, autopep8, yapf, autoflake, pyupgrade, rubocop, golangci-lint,"
        " markdownlint, markdownlint-cli2, sqlfluff, buf, clang-tidy, clang-format, shfmt, gofmt,"
        " goimports, swiftlint, ktlint, detekt, tflint, hadolint, shellcheck, yamllint, vale,"
        " actionlint, checkov, semgrep, bandit, vulture, pydocstyle, codespell, cspell, djlint,"
        " ansible-lint, kubeconform, conftest, phpstan, psalm, phpcs, credo, dprint, taplo",
        kind=CHECKER,
        flags="--fix!write -w!write -i!write -a!write -A!write --output-format= -c=!place",
    ),
    Habit(
        names="ruff",
        kind=CHECKER,
        flags="-o=!report --output-file=!report -q -e -n -s -w -i --unsafe-fixes --config=!place"
        " --isolated",
    ),
    Habit(names="black, isort, yapf", kind=CHECKER, flags="-c -a= -w= -l= -q -v -i -t= -C -S -e="),
    Habit(
        names="shellcheck, hadolint, bandit",
        kind=CHECKER,
        flags="-a -x -e= -f= -s= -S= -i= -P= -r -c= -w= -o=!report -W=",
    ),
    Habit(names="tsc, vue-tsc", kind=CHECKER, flags="--init --pretty"),
    Habit(
        names="mypy, pyright, pytype, pyre, flake8, pylint, pylama, tsc, vue-tsc, svelte-check",
        kind=CHECKER,
        flags="--install-types!run --python-executable=!run --config-file=!place -p= -m= -c= -P"
        " --project= --load-plugins=!run --init-hook=!run --rcfile=!place -b -w --outDir=!place"
        " --pythonpath=!run --outputjson --output-format=",
    ),
    Habit(
        names="pylint",
        kind=CHECKER,
        flags="-f=!form --output-format=!form --unsafe-load-any-extension=!run",
    ),
    # What takes files, and fetches them where it is given addresses.
    Habit(
        names="pandoc, magick, convert, identify, mogrify, kustomize build, helm template,"
        " helm lint, helm install, helm upgrade, xmllint, xmlstarlet, xsltproc, ffprobe, gdalinfo,"
        " kubectl apply, kubectl diff",
        flags="--host=!steer",
    ),
    # What runs whatever it is given.
    Habit(
        names="node, nodejs, deno run, python, python2, python3, ruby, perl, php, lua, bash, sh,"
        " zsh,"
        " Rscript, julia, java, kotlin, scala, groovy, elixir, pypy, pypy3, tclsh, dash, ksh",
        kind=INTERPRETER,
        flags="-r=!run --require=!run --import=!run --loader=!run --experimental-loader=!run"
        " --env-file= --test --check --watch",
    ),
    Habit(
        names="perl, ruby",
        kind=INTERPRETER,
        flags="-e=!run -E=!run -M=!load -m=!load -I=!load -r=!load -n -p -c -w -W -l -a -s -S -t -T"
        " -u -U -v -V -x -0 -i? -F=",
    ),
    Habit(names="ffmpeg, ffplay", flags="--host=!steer -i= -f= -c= -b= -r= -t= -s= -y -n -an -vn"),
    Habit(
        names="cargo run, go run, dotnet run, swift run, mix run, php artisan, rails runner,"
        " bun run, docker compose exec",
        kind=RUNNER,
    ),
    Habit(
        names="deno",
        kind=RUNNER,
        flags="-A!widen --allow-all!widen --allow-run?!widen --allow-ffi?!widen --allow-read?"
        " --allow-net? --allow-write?!widen --allow-import?!widen"
        " --allow-sys?!widen --allow-env? -c=!place --import-map=!place --lock=!write",
    ),
    Habit(
        names="gpg, gpg2",
        flags="--card-status!run --card-edit!run --edit-card!run --change-pin!run -s!run --sign!run"
        " --photo-viewer=!run --exec-path=!run -b!run --detach-sign!run --clear-sign!run"
        " --clearsign!run -d!run --decrypt!run --homedir=!place --options=!run",
    ),
    Habit(names="ssh", flags="-l=!widen -K!widen -S=!steer"),
    Habit(names="open, xdg-open", each=1),
    # What runs what its words say, in ways of its own.
    Habit(names="perf", flags="--pre=!run --post=!run --objdump=!run --addr2line=!run"),
    Habit(
        names="rclone",
        flags="--sftp-ssh=!run --password-command=!run --metadata-mapper=!run --config=!steer",
    ),
    Habit(names="cdk", flags="-a=!run --app=!run"),
    Habit(names="nodemon", kind=RUNNER, flags="-x=!run --exec=!run"),
    Habit(names="feh", flags="-A=!run --action=!run --info=!run"),
    Habit(names="helmfile", flags="-b=!run --helm-binary=!run -k=!run --kustomize-binary=!run"),
    Habit(names="ssh-keygen", flags="-D=!run -w=!run -f= -t= -b= -C= -N= -l -y -E= -R= -F="),
    Habit(names="ssh-add", flags="-s=!run -S=!run -l -L -d -D -t="),
    Habit(names="exiftool", words=True, flags="--if=!run --config=!run --w=!write --o=!write"),
    Habit(
        names="mlr",
        flags="--prepipe=!run --prepipex=!run --prepipe-gunzip --load=!run --mload=!run -s=!run",
    ),
    Habit(names="gs, ps2pdf", flags="-dNOSAFER!widen -sDEVICE= -sOutputFile=!write -I=!load"),
    Habit(names="groff, troff, pdfroff", flags="-U!widen -M=!load -F=!load -m= -T= -t -e -p"),
    Habit(names="meson test", kind=RUNNER, flags="--wrap=!run --wrapper=!run --gdb-path=!run"),
    # Commands that run what they are told, of programs that have others besides.
    Habit(
        names="rails runner, rails r, rails console, rails c, rails dbconsole, rails db, mix eval,"
        " mix cmd, mix do, php artisan tinker, python manage.py dbshell, manage.py dbshell,"
        " django-admin shell, django-admin dbshell, flask shell, celery shell, scrapy shell,"
        " scrapy runspider, scrapy view, terraform console, tofu console, stack eval, stack"
        " ghci, stack repl, stack script, cabal repl, dune utop, sbt eval, sbt console, sbt"
        " set, lein exec, lein eval, lein repl, lein shell, lein update-in, poetry shell,"
        " hatch shell, pipenv shell, bundle console, bundle open, npm edit, mise en, dotnet"
        " fsi, dotnet script, dotnet exec, jupyter console, jupyter run, jupyter qtconsole,"
        " deno eval, deno repl, bun exec, bun repl, go tool cgo, go tool compile,"
        " go tool asm, go tool link, go bug, swift repl, mvn exec:exec, mvn groovy:execute,"
        " mvn org.codehaus.mojo:exec-maven-plugin:exec, mvnw exec:exec, mvnw groovy:execute,"
        " mvnw org.codehaus.mojo:exec-maven-plugin:exec, sops exec-env, sops exec-file,"
        " redis-cli EVAL, redis-cli EVALSHA, redis-cli FCALL, redis-cli MODULE, redis-cli"
        " SCRIPT, redis-cli FUNCTION, redis-cli DEBUG, redis-cli eval, redis-cli evalsha,"
        " redis-cli fcall, redis-cli module, redis-cli script, redis-cli function, redis-cli"
        " debug, valkey-cli EVAL, valkey-cli EVALSHA, valkey-cli FCALL, valkey-cli MODULE,"
        " valkey-cli SCRIPT, valkey-cli FUNCTION, valkey-cli DEBUG, valkey-cli eval,"
        " valkey-cli evalsha, valkey-cli fcall, valkey-cli module, valkey-cli script,"
        " valkey-cli function, valkey-cli debug, fly ssh, vagrant ssh, vagrant winrm, gcloud"
        " compute ssh, aws ssm start-session, aws ssm send-command, gh codespace ssh, heroku"
        " pg:psql, kubectl edit, kubectl debug, oc edit, oc debug, ansible-vault edit, rails"
        " credentials:edit, prisma db execute, typeorm query, wrangler d1 execute, dbt"
        " run-operation, openssl engine, uv tool run, cargo flamegraph",
        beyond="run",
    ),
    # What brings in code that later runs, or takes it from elsewhere.
    Habit(
        names="pdm plugin add, pdm self add, pdm self update, poetry plugin add, poetry self add,"
        " poetry self update, poetry self install, bundle plugin install, pixi exec, pixi x,"
        " mix archive.install, mix escript.install, ng add, ng update, dotnet new install,"
        " dotnet tool install, dotnet nuget add, dart pub global, flutter pub global, hugo mod"
        " get, mvn dependency:get, mvn archetype:generate, mvnw dependency:get, mvnw"
        " archetype:generate, stack upgrade, deno upgrade, bun upgrade, bun pm trust, helm"
        " repo add, helm plugin install, nix profile install, nix profile add, rustup"
        " toolchain link, git annex, git svn, asdf plugin add, asdf plugin-add, mise plugin"
        " install, mise plugins install, mise plugins link, pnpm env use, rails app:template,"
        " gh extension install, gh extension upgrade, gh extension exec, docker plugin"
        " install, docker plugin enable, docker plugin set, docker plugin upgrade, buf push,"
        " docker compose publish",
        beyond="load",
    ),
    # What says where later commands go, or what later ones do.
    Habit(
        names="pdm config, poetry config, hatch config, bundle config set, bundle config unset,"
        " opam config set, npm pkg set, npm owner add, npm owner rm, docker context use,"
        " docker context create, docker context update, docker context import, docker swarm,"
        " docker trust sign, docker trust key, docker trust signer, terraform login, tofu"
        " login, pulumi login, docker login, npm login, cargo login, podman login, helm"
        " registry login, redis-cli SLAVEOF, redis-cli REPLICAOF, redis-cli MIGRATE, redis-cli"
        " slaveof, redis-cli replicaof, redis-cli migrate, redis-cli CONFIG SET, redis-cli"
        " config set, valkey-cli SLAVEOF, valkey-cli REPLICAOF, valkey-cli MIGRATE, valkey-cli"
        " slaveof, valkey-cli replicaof, valkey-cli migrate, valkey-cli CONFIG SET, valkey-cli"
        " config set, dotnet user-secrets, gh secret set, gh variable set, wrangler secret"
        " put, ng config",
        beyond="steer",
    ),
    # What loses or rewrites what is there.
    Habit(
        names="python manage.py flush, python manage.py reset_db, manage.py flush, manage.py"
        " reset_db, php artisan db:wipe, php artisan migrate:fresh, php artisan migrate:reset,"
        " php artisan migrate:refresh, sequelize-cli db:drop, sequelize-cli"
        " db:migrate:undo:all, prisma migrate reset, rails db:drop, rails db:reset, rails"
        " destroy, dotnet ef database drop, airflow db reset, typeorm schema:drop",
        beyond="delete",
    ),
    # What runs code that its flags hold, or a file of it, beside what it is there for.
    Habit(
        names="ts-node, tsx, vite-node, babel-node",
        flags="-e=!run --eval=!run -p=!run --print=!run -pe=!run -C=!run --compiler=!run",
    ),
    Habit(
        names="node, nodejs",
        kind=INTERPRETER,
        flags="-e=!run --eval=!run -p=!run --print=!run -pe=!run -i!run --interactive!run"
        " --test-global-setup=!load --inspect?!listen --inspect-brk?!listen"
        " --inspect-port=!listen --inspect-wait?!listen",
    ),
    Habit(names="yarn node", flags="-e=!run --eval=!run -p=!run --print=!run -r=!load"),
    Habit(names="bun", kind=RUNNER, flags="-e=!run --eval=!run -p=!run --print=!run"),
    Habit(names="mix run", kind=RUNNER, flags="-e=!run --eval=!run -r=!load --require=!load"),
    Habit(names="mix test", kind=RUNNER, flags="--formatter= --require=!load -r=!load"),
    Habit(names="iex, ghci", flags="-e=!run --eval=!run --dot-iex=!load -ghci-script=!load"),
    Habit(names="ghci, ghc", words=True, flags="--e=!run --fplugin=!run --pgmF=!run --F!run"),
    Habit(
        names="cabal",
        kind=RUNNER,
        flags="-w=!run --with-compiler=!run --with-ghc=!run --with-ghc-pkg=!run --with-hc-pkg=!run"
        " --ghc-options= --repl-options=!run --test-wrapper=!run --project-file=!place"
        " --config-file=!steer",
    ),
    Habit(
        names="stack",
        kind=RUNNER,
        flags="--exec=!run --with-gcc=!run --with-hpack=!run --stack-yaml=!place"
        " --stack-root=!place --docker!run --setup",
    ),
    Habit(names="rails", kind=RUNNER, flags="-r=!load -c=!place --config=!place -m=!run"),
    Habit(names="lein do", beyond="run"),
    Habit(
        names="cargo watch", flags="-x= --exec= -s=!run --shell=!run -w= -d= -i= -c -q -C=!place"
    ),
    Habit(names="cargo flamegraph", flags="-c=!run --cmd=!run -o=!made"),
    Habit(names="cargo build", flags="--out-dir=!delete --artifact-dir=!delete"),
    Habit(names="mise exec, mise x", flags="-c=!run --command=!run"),
    Habit(names="doppler run, infisical run", flags="--command=!run"),
    Habit(names="vagrant ssh, fly ssh", flags="-c=!run --command=!run -C=!run"),
    Habit(
        names="pixi, volta, fnm, pyenv, rbenv, devbox, lerna, opam, mise",
        kind=RUNNER,
        flags="--manifest-path=!place --npm-client=!run",
    ),
    Habit(
        names="bazel, bazelisk",
        kind=RUNNER,
        flags="--remote_cache=!steer --remote_executor=!steer --bes_backend=!steer"
        " --registry=!steer --credential_helper=!run --python_path=!run"
        " --host_jvm_args=!run --server_javabase=!run"
        " --shell_executable=!run --workspace_status_command=!run --override_module=!load"
        " --output_user_root=!place --output_base=!place --symlink_prefix=!place --distdir=!place"
        " --disk_cache=",
    ),
    Habit(
        names="ant",
        kind=RUNNER,
        words=True,
        flags="--main=!run --lib=!load --logger=!run --listener=!run --inputhandler=!run",
    ),
    Habit(names="ctest", kind=RUNNER, flags="--output-log=!report --output-junit=!report"),
    Habit(names="cmake", kind=RUNNER, flags="--trace-redirect=!report --graphviz=!report"),
    # Behind `-E` these words are what it does itself; others run what follows.
    Habit(
        names="cmake cat, cmake echo, cmake echo_append, cmake compare_files, cmake md5sum,"
        " cmake sha1sum, cmake sha224sum, cmake sha256sum, cmake sha384sum, cmake sha512sum,"
        " cmake capabilities, cmake make_directory, cmake touch, cmake touch_nocreate",
        kind=RUNNER,
        flags="-E",
    ),
    Habit(names="lldb", words=True, flags="--one-line-before-file=!run --source-before-file=!run"),
    Habit(names="lldb, gdb", words=True, flags="--P=!run --python=!run --p=!widen --pid=!widen"),
    Habit(names="strace, ltrace", flags="-p=!widen --attach=!widen -u=!widen --user=!widen"),
    Habit(
        names="hyperfine", flags="-S=!run --shell=!run --export-json=!report --export-csv=!report"
    ),
    Habit(names="mongosh, mongo", each=1, flags="--host=!steer -f=!run --file=!run --eval=!run"),
    Habit(names="duckdb", flags="-f=!run --file=!run -init=!run"),
    Habit(
        names="mysql, mariadb, mycli",
        each=1,
        flags="--pager=!run",
    ),
    Habit(
        names="mysqldump, mariadb-dump", flags="-r=!made --result-file=!made -T=!write --tab=!write"
    ),
    Habit(names="psql", each=1, flags="-P= --pset="),
    Habit(names="sqlcmd, isql, bcp", flags="-S=!steer -Q=!run -q=!run -i=!run -o=!write"),
    Habit(names="redis-cli, valkey-cli", flags="--pipe!run -x!send -X=!send"),
    Habit(
        names="ansible, ansible-playbook",
        each=1,
        flags="--connection= --become-method=!run --host=!steer",
        runs=r"\A(?:-i|--inventory=)?[\w./-]+\.(?:sh|bash|py|rb|pl|js)\Z",
    ),
    Habit(
        names="php, phpunit",
        flags="-d= -z=!run -c=!place --extension=!run --printer=!run --loader=!run",
    ),
    Habit(names="phpunit", kind=RUNNER, flags="--generate-configuration!write"),
    Habit(names="phpstan", kind=CHECKER, flags="-a=!load --autoload-file=!load"),
    Habit(names="rubocop", kind=CHECKER, flags="-o=!report --out=!report --require=!load"),
    Habit(names="rspec", kind=RUNNER, flags="--init!write -O=!place --options=!place"),
    Habit(
        names="gunicorn",
        kind=RUNNER,
        flags="-k=!place --worker-class=!place -c=!place --config=!place --logger-class=!place"
        " --pythonpath=!place --chdir=!place --paste=!place --log-config=!place",
    ),
    Habit(
        names="sphinx-build",
        kind=RUNNER,
        flags="-c=!place -D= -A= -w=!report -d= -b= -j= -t= -W -n -q -E -a -M",
    ),
    Habit(names="scrapy", flags="-s= -a= -o= --output= -O=!hand"),
    Habit(names="k6", kind=RUNNER, flags="-o=!report --out=!report -e= -u= -d= -i="),
    Habit(names="wrk, ab", each=1, flags="-s=!run -t= -c= -d= -n= -H= -k"),
    Habit(
        names="act",
        kind=RUNNER,
        flags="-P=!load --platform=!load -W= --workflows= -j= -s=!tell --secret=!tell"
        " --container-options=!widen --bind!widen",
    ),
    Habit(names="buf generate", kind=CHECKER, flags="--template=!place"),
    Habit(names="convert, magick", flags="--host=!steer"),
    Habit(names="cdk", flags="-a=!run --app=!run -b=!run --build=!run -o=!delete --plugin=!run"),
    Habit(
        names="esbuild",
        kind=RUNNER,
        flags="--metafile=!report --allow-overwrite!write",
    ),
    Habit(
        names="rollup, webpack", kind=RUNNER, flags="-p=!run --plugin=!run --output-clean!delete"
    ),
    Habit(
        names="rollup",
        kind=RUNNER,
        flags="--watch.onStart=!run --watch.onBundleStart=!run"
        " --watch.onBundleEnd=!run --watch.onEnd=!run --watch.onError=!run",
    ),
    Habit(
        names="tsc-watch",
        kind=RUNNER,
        flags="--onSuccess=!run --onFailure=!run --onFirstSuccess=!run"
        " --onCompilationStarted=!run --onCompilationComplete=!run --onEmit=!run",
    ),
    Habit(names="chokidar", flags="-c=!run --command=!run"),
    Habit(names="npm-run-all, run-s, run-p", kind=RUNNER, flags="--npm-path=!run"),
    Habit(
        names="jest",
        kind=RUNNER,
        flags="--moduleNameMapper=!run --haste=!run --modulePaths=!place --moduleDirectories=!place"
        " --roots=!place --projects=!place --preset=!place --watchPlugins=!run --cacheDirectory=",
    ),
    Habit(
        names="cypress", kind=RUNNER, flags="--browser=!load -b=!load --project=!place -P=!place"
    ),
    Habit(
        names="vitest, playwright, vite, next, storybook, wrangler, expo",
        kind=RUNNER,
        flags="--ui-host=!listen --api.host=!listen --inspect?!listen --inspect-brk?!listen",
    ),
    Habit(
        names="prisma",
        kind=RUNNER,
        flags="--url=!steer --accept-data-loss!delete --to-url=!steer"
        " --from-url=!steer --shadow-database-url=!steer",
    ),
    Habit(
        names="pytest, py.test",
        writes=r"\A(?:-[A-Za-z]*o|--ov[a-z-]*=)?cache_dir=(?!/|\.\w|(?!\S*\.\.)\S*cache)",
        kind=RUNNER,
        flags="--px=!run --selenium-host=!steer --rsyncdir= --docker-compose-file=!place",
    ),
    Habit(names="ng", kind=RUNNER, flags="--karma-config=!place --output-path=!delete"),
    # Rights that a container asks for, and what a build takes from this machine.
    Habit(
        names="docker run, docker create, docker container run, docker container create,"
        " podman run, podman create, nerdctl run",
        flags="--group-add=!widen --annotation=!run --oom-kill-disable!widen --log-opt=!steer"
        " --dns=!steer --storage-opt=!widen --label-file<",
    ),
    Habit(
        names="docker build, docker buildx build, docker image build, podman build",
        flags="--secret=!tell --builder=!steer --sbom=!run --attest=!run --cgroup-parent=!widen",
    ),
    Habit(
        names="docker compose, docker-compose, podman compose",
        flags="-o=!made --output=!made",
    ),
    Habit(names="docker save, docker image save, podman save", flags="-o=!made --output=!made"),
    Habit(names="docker commit, docker import", flags="--change=!run -c=!run"),
    Habit(names="docker network create, docker volume create", flags="--driver=!run -d=!run"),
    Habit(names="docker stack deploy", flags="-c= --compose-file="),
    Habit(names="docker buildx bake", flags="--set=!write -f="),
    Habit(names="kubectl run, oc run", flags="--overrides=!widen --privileged!widen"),
    Habit(
        names="devcontainer", flags="--docker-path=!run --docker-compose-path=!run --mount=!widen"
    ),
    # Where a program's own things come from.
    Habit(names="pipenv", flags="--python=!tool --extra-pip-args=!steer --index=!steer -i=!steer"),
    Habit(names="nox", kind=RUNNER, flags="--force-python=!tool --report=!report --envdir="),
    Habit(names="poetry export, pdm export", flags="-o=!made --output=!made"),
    Habit(
        names="just",
        kind=RUNNER,
        flags="--cygpath=!run --tempdir=!place -g!load --global-justfile!load"
        " --edit!run -e!run --choose!run --set=",
    ),
    Habit(
        names="task",
        kind=RUNNER,
        flags="-g!load --global!load --insecure!steer -d=!place --dir=!place"
        " -t=!place --taskfile=!place",
    ),
    Habit(names="rake", kind=RUNNER, flags="-g!load --system!load"),
    Habit(names="nx", kind=RUNNER, flags="--outputPath=!delete --runner=!run --file=!report"),
    Habit(names="turbo", kind=RUNNER, flags="--graph=!report --profile=!report --api=!steer"),
    Habit(names="uv run", flags="-p=!tool --python=!tool -m=!run --module=!run"),
    Habit(names="ansible", each=1, flags="-a=!run --args=!run"),
    Habit(names="gdb", words=True, flags="--args!run"),
    Habit(
        names="playwright open, playwright codegen, playwright screenshot, playwright pdf",
        beyond="steer",
    ),
    Habit(names="onchange, npm-watch, wait-on", kind=RUNNER),
    Habit(
        names="xcodebuild",
        kind=RUNNER,
        words=True,
        flags="--xcconfig=!place --project=!place --workspace=!place --derivedDataPath=!place"
        " --scheme= --destination= --configuration= --sdk= --toolchain=!run",
    ),
    Habit(names="swift", kind=RUNNER, flags="-Xlinker=!run --disable-sandbox!widen"),
    Habit(
        names="deno run, deno test, deno task, deno",
        flags="-W?!widen -R? -N? -E? -P?!widen -RW!widen -WR!widen -NW!widen -WN!widen",
    ),
    Habit(
        names="celery",
        kind=RUNNER,
        flags="-A= -b=!steer --broker=!steer --config=!steer --workdir=!place",
    ),
    Habit(names="perf script", flags="-s=!run --script=!run -g=!run --gen-script=!run"),
    Habit(
        names="drush php:eval, drush ev, drush php:script, drush php:cli, drush sql:query,"
        " drush sql:cli, drush sql-cli, drush sqlq, wp eval, wp eval-file, wp shell, wp db query,"
        " wp db cli, symfony php, knife ssh, knife exec, hardhat console, crystal eval,"
        " crystal tool, fastlane run, fastlane action, inspec shell, kitchen exec, minikube ssh,"
        " colima ssh,"
        " podman machine ssh, firebase emulators:exec, netlify dev:exec, adb shell, rebar3 shell,"
        " kustomize fn, firebase functions:shell",
        beyond="run",
    ),
    Habit(
        names="composer create-project, composer global, wp plugin install, wp theme install,"
        " trivy plugin, forge install, dub run",
        beyond="load",
    ),
    Habit(names="composer config, flux bootstrap", beyond="steer"),
    Habit(names="changeset publish", beyond="send"),
    Habit(
        names="wp, drush, composer", kind=RUNNER, flags="--ssh=!steer --exec=!run --require=!load"
    ),
    Habit(names="testcafe", kind=RUNNER, flags="-a=!run --app=!run --cs=!run --config-file=!place"),
    Habit(names="netlify dev", kind=RUNNER, flags="-c=!run --command=!run"),
    Habit(names="zx, scala-cli", kind=RUNNER, flags="-e=!run --eval=!run --execute-script=!run"),
    Habit(
        names="scons, mage, air, doit, invoke, inv, fab",
        kind=RUNNER,
        words=True,
        flags="--gocmd=!run --H=!steer --c=!place --f=!place --d=!place --C=!place",
    ),
    Habit(names="javadoc", words=True, flags="--doclet=!run --docletpath=!run"),
    Habit(names="puppet apply", flags="-e=!run --execute=!run"),
    Habit(names="inspec, kitchen, ansible-console", flags="-c=!run --command=!run"),
    Habit(names="postcss", kind=RUNNER, flags="-u=!run --use=!run --config=!place"),
    Habit(names="standard-version, release-it", kind=RUNNER, flags="--scripts=!run --hooks=!run"),
    Habit(names="forge", kind=RUNNER, flags="--ffi!run --broadcast!send --fork-url=!steer"),
    Habit(
        names="terragrunt",
        flags="--terragrunt-tfpath=!run --tf-path=!run"
        " --terragrunt-json-out=!hand --json-out=!hand",
    ),
    Habit(names="nginx", flags="-g=!run -c=!place -p=!place"),
    Habit(names="nim", kind=RUNNER, flags="--passC=!run --passL=!run --gcc.exe=!run"),
    Habit(names="clojure, clj", flags="-Sdeps=!load -e=!run --eval=!run -M? -A? -T? -X?"),
    Habit(names="semgrep", kind=CHECKER, flags="--autofix!write"),
    Habit(
        names="julia, Rscript, lua, luajit, R, elixir, raku, ocaml, groovy, scala",
        kind=INTERPRETER,
        flags="-e=!run -E=!run --eval=!run -L=!load --rpc-eval=!run --erl=!run",
    ),
    Habit(names="salt-call cmd.run, salt-call cmd.script, salt * cmd.run", beyond="run"),
    Habit(names="gleam run, rebar3 as", kind=RUNNER, flags="-m=!place --module=!place"),
    # What a word of a program's own language does more.
    Habit(
        names="sbt",
        runs=r"\A[!<;]|(?:\A|[;~+/:\s])(?:eval|set|alias|apply|run|runMain|bgRun|console\w*|publish\w*)(?=[\s;]|\Z)",
    ),
    Habit(names="rclone", runs=r"\A:[a-z]|,\w*(?:command|ssh)\b"),
    Habit(
        names="exiftool",
        runs=r"`|\b(?:system|exec|qx|open|unlink|require|eval)\s*[({\"'$]",
        writes=r"\A--?[\w:*]*[-+^]?[<=]|\A--?(?:delete_original|overwrite_original|restore_original|W)",
        flags="-p=!run",
    ),
    Habit(
        names="mlr",
        runs=r"\b(?:tee|e?print\w*|emit\w*|e?dump)\b[^|>]*\|\s*\"|\b(?:system|exec)\s*\(",
        writes=r"\b(?:tee|e?print\w*|emit\w*|e?dump)\b[^>]*>\s*[\"$]|\A(?:tee|split)\Z",
        flags="-I!write",
    ),
    Habit(names="convert, identify, magick, mogrify", runs=r"\A(?:msl|ephemeral|x|show|win):"),
    Habit(
        names="ffprobe",
        flags="-o=!hand -of= -print_format= -i= -v= -show_entries= -select_streams= -report!write",
    ),
    Habit(names="ffmpeg, ffprobe", writes=r"\[\w+=[^]]*\]\S"),
    # What loads code of its own, or turns a check into more.
    Habit(names="lighthouse", flags="--chrome-flags=!run --config-path=!run --plugins=!run"),
    Habit(names="javac", words=True, flags="--processor=!run --processorpath=!run --Xplugin?!run"),
    Habit(names="stack, cabal", runs=r"-fplugin|-pgm\w", flags="--with-ghc=!run"),
    Habit(
        names="dotnet",
        runs=r"\A[-/]{1,2}(?:p|property):\w*(?:Event|ToolPath|AdapterPath|Exec\w*|Command\w*)=",
    ),
    Habit(names="playwright, playwright test", kind=RUNNER, flags="--ui --ui-host=!listen"),
    Habit(
        names="http, https, xh, xhs",
        sends=r"\A[\w-]*(?::=|==|=|:)?@.|\A--?raw=@",
        flags="--follow!steer -F!steer",
    ),
    Habit(names="swift", flags="-Xcc=!run -Xcxx=!run -Xswiftc=!run"),
    Habit(names="zig, zig build", flags="--build-runner=!run"),
    Habit(
        names="clang-tidy",
        flags="--extra-arg=!run --extra-arg-before=!run --load=!run --export-fixes=!report",
    ),
    Habit(names="vim, view, nvim, vimdiff", flags="-s=!run -w=!write -W=!write -S=!run"),
    Habit(
        names="bazel, bazelisk",
        runs=r"\A--(?:test|action|repo)_env=(?:LD_|DYLD_|PATH|BASH_ENV)",
        flags="--crosstool_top=!run --test_env= --action_env= --repo_env="
        " --profile=!report --build_event_json_file=!report --build_event_text_file=!report"
        " --build_event_binary_file=!report --execution_log_json_file=!report"
        " --execution_log_binary_file=!report --explain=!report --output_file=!report"
        " --memory_profile=!report",
    ),
    Habit(names="sphinx-build", runs=r"\A(?:extensions|html_theme\w*|suppress\w*)="),
    Habit(
        names="jupyter nbconvert",
        flags="--execute --inplace!write --to=!form --config=!run --allow-errors"
        " --Exporter.preprocessors=!run --TemplateExporter.filters=!run",
    ),
    Habit(names="tox", flags="--force-dep=!run -x=!run --override=!run"),
    Habit(names="bun, bun run", flags="--install=!run --inspect?!listen --inspect-brk?!listen"),
    Habit(
        names="eslint, tflint", flags="--init!load --suppress-all!write --prune-suppressions!write"
    ),
    Habit(names="npm view, npm info, npm show", runs=r"\A(?:https?|git\S*|github|file):"),
    Habit(names="helm template, helm lint", flags="--dependency-update!load"),
    Habit(
        names="journalctl", flags="--setup-keys!write --update-catalog!write --relinquish-var!write"
    ),
    Habit(names="lsof", flags="-D=!write"),
    Habit(
        names="kubectl, oc",
        flags="--insecure-skip-tls-verify?!steer --insecure-skip-tls-verify-backend?!steer",
    ),
    Habit(names="deno", flags="--unsafely-ignore-certificate-errors?!steer"),
    Habit(
        names="ansible, ansible-playbook",
        flags="-b!widen --become!widen --become-user=!widen --become-method=!widen"
        " -K!widen --ask-become-pass!widen",
    ),
    Habit(
        names="ansible-inventory",
        flags="-i=!hosts --inventory=!hosts --output=!made --vault-password-file=!run"
        " --vault-id=!run --playbook-dir=!place --list --graph --host= --yaml -y -v",
        runs=r"\A(?:-i|--inv[a-z]*=)?[\w./ -]+\.(?:sh|bash|py|rb|pl|js)\Z",
    ),
    Habit(names="kustomize build", flags="--load-restrictor=!widen --enable-exec!run -o=!report"),
    Habit(
        names="ctest",
        sends=r"\A(?:-[DT]|--[a-z-]+=)?(?:\w*(?:Submit|Upload)|Experimental|Nightly|Continuous)\Z",
    ),
    Habit(
        names="openssl s_client",
        flags="-msgfile=!report -keylogfile=!report -sess_out=!report -msg_file=!report",
    ),
    Habit(
        names="gpg, gpg2",
        flags="--status-file=!report --logger-file=!report --log-file=!report"
        " --attribute-file=!report",
    ),
    Habit(names="pulumi", flags="--profiling=!made --event-log=!hand --tracing=!steer"),
    Habit(names="pulumi preview", flags="--save-plan=!report --import-file=!hand"),
    Habit(names="pulumi stack export", flags="--file=!hand"),
    Habit(names="nix eval", flags="--write-to=!write"),
    Habit(names="flutter analyze", flags="--write=!report"),
    Habit(names="pyright", flags="--createstub=!write --writebaseline!write"),
    Habit(names="mypy", flags="--timing-stats=!report --any-exprs-report=!report"),
    Habit(
        names="gradle, gradlew", flags="--write-locks!write --write-verification-metadata=!write"
    ),
    Habit(names="gradle, gradlew", flags="-M=!write"),
    Habit(names="phpunit", flags="--migrate-configuration!write --generate-configuration!write"),
    Habit(names="qpdf", flags="--replace-input!write"),
    Habit(names="just", flags="--fmt!write"),
    Habit(names="go vet", words=True, flags="--fix!write"),
    Habit(names="playwright test", flags="--update-source-method=!write"),
    # What looks at something, and is told to run a program, or to put what it saw in a file.
    Habit(names="tmux", runs=r"#\("),
    Habit(names="jj", flags="--config-toml=!run --tool=!tool"),
    Habit(names="svn", flags="--config-option=!run"),
    Habit(names="bzr, brz", flags="--using=!tool"),
    Habit(
        names="rpm, rpmquery, rpmspec, rpmbuild",
        runs=r"%\(|%\{(?:lua|load|expand|uncompress)\b",
        flags="--pipe=!run --macros=!run -E= --eval=",
    ),
    Habit(names="apt-cache, apt-config, apt-mark", flags="-o=!run --option=!run -c=!steer"),
    Habit(names="restic", runs=r"(?:rclone|sftp)\.(?:program|command|args)=", flags="-o="),
    Habit(names="borg", flags="--remote-path=!run"),
    Habit(
        names="cloc",
        runs=r"\A[-+]{1,2}extract|\A[-+]{1,2}vcs=|\A\+",
        flags="--extract-with=!run --vcs=!form --strip-comments=!write --strip-code=!write"
        " --out=!hand --report-file=!hand --counted=!hand --ignored=!hand --found=!hand"
        " --categorized=!hand --sql=!hand --diff-alignment=!hand --write-lang-def=!hand"
        " --write-lang-def-incl-dup=!hand",
    ),
    Habit(
        names="cppcheck",
        kind=CHECKER,
        runs=r"\A--clang=.*/",
        flags="--addon=!form --addon-python=!run --output-file=!hand --plist-output=!report"
        " --checkers-report=!hand",
    ),
    Habit(names="plantuml", words=True, flags="--graphvizdot=!tool"),
    Habit(names="lilypond", kind=RUNNER, flags="-e=!run --evaluate=!run --init=!load"),
    Habit(names="lilypond-book", flags="-P=!run --process=!run -F=!run --filter=!run"),
    Habit(names="ncu, npm-check-updates", flags="--doctorTest=!run --doctorInstall=!run"),
    Habit(
        names="gitleaks",
        writes=r"(?:\A|[\s='\"])--(?:ou|ext-|textc)",
        flags="-r=!hand --report-path=!hand --diagnostics-dir=!report",
    ),
    Habit(
        names="gcc, g++, cc, c++, clang, clang++, gfortran",
        writes=r"\A-W[alp],\S*(?:-MM?D,|-Map[=,]|-a[a-z]*=)\S*"
        r"\.(?:[ch](?:pp|c)?|[cm]?[jt]sx?|py|go|rs|sh|md|json|toml|ya?ml)\Z",
        flags="-MF=!hand -MJ=!hand -MT= -MQ= -MD -MMD -MM -MG -MP -aux-info=!hand",
    ),
    Habit(names="skaffold", flags="--file-output=!hand"),
    Habit(names="skaffold render", flags="-o=!hand"),
    Habit(
        names="checkov",
        kind=CHECKER,
        flags="-d= -f= -o= --output-file-path=!report --create-config=!hand"
        " --external-checks-dir=!load --external-checks-git=!load",
    ),
    Habit(names="syft, grype", flags="-o=!hand --output=!hand --file=!hand"),
    Habit(names="k6", flags="--console-output=!hand --log-output=!hand"),
    Habit(names="pip-audit", flags="-o=!report --output=!report"),
    Habit(names="safety", flags="--save-json=!report --save-html=!report"),
    Habit(names="swiftlint", flags="--write-baseline=!hand"),
    Habit(names="brakeman", flags="-o=!hand --output=!hand --add-checks-path=!load"),
    Habit(names="detekt", flags="-r=!hand --report=!hand -b=!hand --baseline=!hand -p=!load"),
    Habit(
        names="ktlint",
        runs=r"\A--reporter=.*\bartifact=",
        flags="--reporter=!hand -R=!load --ruleset=!load",
    ),
    Habit(
        names="nix build, nix-build",
        flags="-o=!report --out-link=!report --add-root=!report --output-lock-file=!write",
    ),
    Habit(
        names="hugo",
        flags="--profile-cpu=!hand --profile-mem=!hand --profile-block=!hand"
        " --profile-mutex=!hand --trace=!hand",
    ),
)
