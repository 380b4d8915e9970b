"""The table of habits: flags that exceed a rule, and flags that only sound so."""

from typing import Final

from assent.gate.programs.escapes import Escape
from assent.gate.programs.habits import CHECKER, INTERPRETER, RUNNER, Habit

__all__ = ["HABITS"]

_CONTAINER: Final = (
    "-v=!widens_rights --volume=!widens_rights --mount=!widens_rights --privileged!widens_rights"
    " --pid=!widens_rights --ipc=!widens_rights --volume-driver=!widens_rights"
    " --sysctl=!widens_rights --cgroup-parent=!widens_rights --uts=!widens_rights"
    " --userns=!widens_rights --cgroupns=!widens_rights --network=!widens_rights"
    " --net=!widens_rights --device=!widens_rights --device-cgroup-rule=!widens_rights"
    " --cap-add=!widens_rights --security-opt=!widens_rights --volumes-from=!widens_rights --gpus="
    " -e=!shows_secrets -p= -w= -u= -h= -l= -m= -c= -a= -i -t -d -P -q -T --name="
    " --env=!shows_secrets --env-file= --user= --workdir= --entrypoint= --hostname= --add-host="
    " --platform= --publish= --label= --restart= --memory= --cpus= --tmpfs= --rm --init --read-only"
    " --detach --interactive --tty --group-add= --no-healthcheck --quiet --rootfs!widens_rights"
    " --runtime=!runs --init-path=!runs --pod-id-file=!writes --conmon-pidfile=!writes --pull="
    " --shm-size= --network-alias= --health-cmd= --sig-proxy --no-deps --use-aliases"
    " --service-ports --env-host!shows_secrets --cidfile=!writes --pidfile=!writes"
)
_SERVED: Final = "--host= --hostname= --address= --socket= --port="
"""A program that serves binds to these, and is not sent there."""

HABITS: Final = (
    # Clusters and clouds.
    Habit(
        names="kubectl, oc",
        flags="-n= -o= -l= -f= -k= -c= -L= -v= -R -i -t -p -q -w -A!widens_rights"
        " --all-namespaces!widens_rights -s=!leads_elsewhere --server=!leads_elsewhere"
        " --host=!leads_elsewhere --token=!widens_rights --kuberc=!leads_elsewhere --output= --raw="
        " --overwrite --export --namespace= --context=!leads_elsewhere --cluster=!leads_elsewhere"
        " --user=!widens_rights --username=!widens_rights --password=!widens_rights"
        " --client-certificate=!widens_rights --client-key=!widens_rights"
        " --tls-server-name=!leads_elsewhere --selector= --filename= --container= --server-side"
        " --dry-run? --image= --show-labels --sort-by= --field-selector= --tail= --since="
        " --timeout= --type= --patch= --replicas= --prune!deletes --profile-output=!writes",
    ),
    Habit(
        names="kubectl get, kubectl describe, kubectl logs, kubectl top, kubectl events,"
        " kubectl wait, oc get, oc describe",
        flags="-A --all-namespaces --raw=!shows_secrets --context=!reaches_production"
        " --cluster=!reaches_production",
        away="--raw",
    ),
    Habit(
        names="kubectl rollout status, kubectl rollout history, kubectl version, kubectl explain,"
        " kubectl config view, kubectl diff",
        flags="--context=!reaches_production --cluster=!reaches_production",
    ),
    Habit(
        names="kubectl get secret, kubectl get secrets, oc get secret, oc get secrets",
        flags="-o=!shows_secrets --output=!shows_secrets --template=!shows_secrets",
    ),
    Habit(names="kubectl delete", each=2, flags="--all!widens_rights"),
    Habit(
        names="kubectl apply, oc apply", flags="--force?!deletes --force-conflicts?!widens_rights"
    ),
    Habit(names="kubectl kustomize, kustomize build", flags="--load-restrictor=!widens_rights"),
    Habit(names="kubectl scale, kubectl rollout restart, oc scale", flags="--all!widens_rights"),
    Habit(names="kubectl port-forward, kubectl proxy", flags="--address=!widens_rights"),
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
        flags="-n= -o= -f= -A!widens_rights -a -q -g -i -l= --output= --set= --values= --version="
        " --namespace= --repo=!leads_elsewhere --kube-context=!leads_elsewhere"
        " --kube-as-user=!widens_rights --kube-as-group=!widens_rights --kube-token=!widens_rights"
        " --kube-ca-file=!leads_elsewhere --kube-tls-server-name=!leads_elsewhere"
        " --kube-insecure-skip-tls-verify!leads_elsewhere",
    ),
    Habit(
        names="helm list, helm ls, helm status, helm get, helm history, helm template, helm diff",
        flags="-A --all-namespaces --kube-context=!reaches_production",
    ),
    Habit(
        names="k9s, stern, flux, istioctl, argo, velero, cilium, linkerd",
        flags="--context=!reaches_production --kube-context=!reaches_production -n= -l= -o= -A",
    ),
    Habit(
        names="aws, gcloud, az, gsutil",
        flags="--output= --query= --profile=!reaches_production --region="
        " --project=!reaches_production --format= --export --method= --resource= --delete"
        " --no-verify-ssl!leads_elsewhere --configuration=!leads_elsewhere --account=!widens_rights"
        " --flags-file=!leads_elsewhere --acl=!widens_rights --output-file=!writes -o= -g= -n=",
    ),
    Habit(names="aws s3 sync", flags="--delete!deletes"),
    Habit(
        names="terraform, tofu, packer, terragrunt",
        words=True,
        flags="--out=!overwrites_non_output --var= --var-file= --target= --replace= --input="
        " --lock= --refresh= --parallelism= --backend= --backend-config=!works_elsewhere"
        " --plugin-dir=!runs --from-module=!leads_elsewhere --chdir=!works_elsewhere"
        " --state=!works_elsewhere --state-out=!writes --generate-config-out=!writes --write="
        " --json --no-color --upgrade --auto-approve --destroy --module= --filter= --raw"
        " --reconfigure --migrate-state --compact-warnings --detailed-exitcode --check --recursive",
    ),
    Habit(names="terraform fmt, tofu fmt", kind=CHECKER, words=True),
    Habit(names="terraform apply, tofu apply", words=True, each=1, flags="--destroy!deletes"),
    Habit(names="vault, consul, nomad", words=True),
    Habit(
        names="ansible, ansible-playbook",
        each=1,
        flags="-i=!names_machines -e=!leads_elsewhere --extra-vars=!leads_elsewhere -l= -t= -m= -a="
        " -u= -f= -b -C -D -K -k -v --become --tags= --limit= --check --diff"
        " --inventory=!names_machines --user= --connection= -c= --module-name= --args="
        " --ssh-common-args=!runs --ssh-extra-args=!runs --sftp-extra-args=!runs"
        " --scp-extra-args=!runs -M=!runs --playbook-dir=!works_elsewhere"
        " --vault-password-file=!runs --vault-id=!runs --become-password-file=!runs"
        " --connection-password-file=!runs --become-user= --become-method="
        " --private-key=!shows_secrets",
    ),
    # Containers.
    Habit(
        names="docker, podman, nerdctl",
        flags="-H=!leads_elsewhere --host=!leads_elsewhere --config=!leads_elsewhere"
        " --context=!reaches_production -c=!reaches_production -l= -D --url=!leads_elsewhere",
    ),
    Habit(
        names="docker run, docker create, docker container run, docker container create,"
        " podman run, podman create, nerdctl run, docker compose run, docker-compose run",
        flags=_CONTAINER,
    ),
    Habit(
        names="docker exec, docker container exec, podman exec, nerdctl exec, docker compose exec,"
        " docker-compose exec, podman container exec",
        flags="-e=!shows_secrets -u= -w= -i -t -d -T -l --env=!shows_secrets --user= --workdir="
        " --index= --privileged!widens_rights",
    ),
    Habit(
        names="docker build, docker buildx build, docker image build, podman build",
        flags="-t= -f= -q -o=!writes --output=!writes --allow=!widens_rights"
        " --network=!widens_rights --target= --build-context=!works_elsewhere"
        " --build-arg=!shows_secrets --tag= --file= --platform= --progress= --cache-from= --label="
        " --cache-to=!writes --iidfile=!writes --metadata-file=!writes --secret="
        " --ssh=!widens_rights --add-host=!leads_elsewhere --push!sends --load -v=!widens_rights"
        " --volume=!widens_rights --no-cache",
    ),
    Habit(
        names="docker compose, docker-compose, podman compose",
        flags="-f= -p= -d -e= -u= -w= -T -a -q -n= -c=!reaches_production"
        " --context=!reaches_production --file= --env-file= --profile= --project-name="
        " --project-directory=!works_elsewhere --tail= --follow --volumes -v --build --scale=",
    ),
    Habit(names="docker compose build, docker-compose build", flags="--push!sends"),
    Habit(
        names="docker compose up, docker-compose up, podman compose up",
        flags="-V!deletes --renew-anon-volumes!deletes",
    ),
    Habit(
        names="docker compose down, docker-compose down, docker compose rm",
        flags="-v!deletes --volumes!deletes --rmi=!deletes",
    ),
    Habit(
        names="docker system prune, docker volume prune, docker image prune, podman system prune,"
        " podman volume prune",
        flags="--volumes!deletes -a!deletes --all!deletes",
    ),
    Habit(
        names="docker images, docker ps, docker inspect, docker logs, docker pull, docker push",
        flags="-a -q -f --filter= --format= -n= -l -s --size --since= --tail= -t",
    ),
    # What reaches hosts.
    Habit(
        names="curl",
        each=1,
        flags="--next!leads_elsewhere --url=!leads_elsewhere --proto-redir=!leads_elsewhere",
    ),
    Habit(names="wget, wget2", each=1),
    Habit(names="ping, dig, host, nslookup, whois, traceroute, nmap, telnet, nc, ncat", each=1),
    Habit(names="http, https, xh, httpie", flags="--json --form --headers --body --verify="),
    Habit(names="scp, rsync", each=2),
    Habit(names="rsync", flags="--host=!leads_elsewhere"),
    Habit(
        names="psql, pg_dump, pg_restore, createdb, dropdb, pg_dumpall",
        each=1,
        flags="-h=!leads_elsewhere --host=!leads_elsewhere -d= -U= -p= --port= --username="
        " --dbname= -f=!writes --file=!writes",
    ),
    Habit(names="psql", each=1, flags="-f<!runs --file<!runs"),
    Habit(
        names="mysql, mariadb, mysqldump, mycli",
        each=1,
        flags="-h=!leads_elsewhere --host=!leads_elsewhere -e= --execute= -u= -p? -P= -D= -S= -N -B"
        " -s -t -v -A --user= --password? --port= --database= --protocol= --default-auth=!runs"
        " --tee=!writes --defaults-file=!leads_elsewhere --defaults-extra-file=!leads_elsewhere"
        " --defaults-group-suffix= --dns-srv-name=!leads_elsewhere --login-path=!leads_elsewhere"
        " --local-infile?!widens_rights --load-data-local-dir=!widens_rights --silent --batch"
        " --table",
    ),
    Habit(
        names="redis-cli, valkey-cli",
        flags="-h=!leads_elsewhere -u=!leads_elsewhere --eval=!runs --rdb=!writes"
        " --functions-rdb=!writes -p= -a= -n= -r= -i= --raw --csv --scan --pattern= --bigkeys",
    ),
    Habit(names="duckdb", flags="-c= -json -csv -box -readonly -line -markdown"),
    Habit(
        names="sqlite3",
        flags="-batch -cmd= -csv -json -header -column -readonly -line -interactive!writes",
        writes=r"\A--?A",
    ),
    Habit(
        names="gh, glab",
        flags="--hostname=!leads_elsewhere --repo=!leads_elsewhere -R=!leads_elsewhere"
        " --admin!widens_rights --log --body-file= --web -q=!shows_input --jq=!shows_input",
    ),
    Habit(
        names="gh pr create, gh pr comment, gh pr edit, gh pr merge, gh pr review, gh pr close,"
        " gh issue create, gh issue comment, gh issue edit, gh issue close, gh release create,"
        " gh release upload, glab mr create, glab mr note, glab issue create",
        flags="-R=!sends --repo=!sends",
    ),
    Habit(
        names="gh api, glab api",
        away=".",
        flags="--host=!leads_elsewhere -X=!leads_elsewhere --method=!leads_elsewhere -f=!sends"
        " -F=!sends --field=!sends --raw-field=!sends --input=!sends -H= -t= -p= --header="
        " --template= --cache= --paginate --slurp -i --include --silent --verbose",
    ),
    Habit(
        names="systemctl, journalctl, loginctl, hostnamectl, timedatectl",
        flags="-H=!leads_elsewhere --host=!leads_elsewhere -M=!leads_elsewhere"
        " --machine=!leads_elsewhere -u= -n= -p= -o= -t= -S= -U= -g= -l -f -b? -k -e -x -r -a"
        " --output= --unit= --since= --until= --vacuum-time=!deletes --vacuum-size=!deletes"
        " --vacuum-files=!deletes --rotate!writes",
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
        flags="--mirror!widens_rights --all!widens_rights --branches!widens_rights",
        sends=r"\A[^-\s]*\*|\A\+?:\Z",
    ),
    Habit(
        names="git push, git fetch, git pull, git send-pack, git http-push, git http-fetch,"
        " git subtree",
        each=2,
        flags="--host=!leads_elsewhere",
    ),
    Habit(names="git add, git stage", flags="-f!takes_ignored --force!takes_ignored"),
    Habit(
        names="git stash, git stash push, git stash save",
        flags="-a!takes_ignored --all!takes_ignored",
    ),
    # Each of these takes the path of a script for the name of a tool.
    Habit(names="git difftool, git mergetool", flags="-t=!works_elsewhere --tool=!works_elsewhere"),
    Habit(names="git instaweb", flags="-d=!runs --httpd=!runs -b=!runs -m=!runs --browser=!runs"),
    # What brings in packages.
    Habit(
        names="pip install, pip3 install, uv pip install, pip download, pip wheel, pip3 download",
        each=1,
        flags="-i=!leads_elsewhere -f=!leads_elsewhere --trusted-host=!leads_elsewhere"
        " --proxy=!leads_elsewhere -r= -c= -e= -t> -U -q -v --config-settings=!runs"
        " --global-option=!runs --no-index --no-build-isolation --pre --user --requirement="
        " --editable= --constraint= --upgrade --break-system-packages!widens_rights",
    ),
    Habit(names="pip, pip3", flags="-f= --outdated --user --settings="),
    Habit(names="npm audit fix, pnpm audit --fix, yarn audit fix", beyond=Escape.LOADS_CODE),
    Habit(
        names="npm, pnpm",
        kind=RUNNER,
        flags="--git=!runs --viewer=!runs --editor=!runs --shell=!runs --onload-script=!runs"
        " --init-module=!runs --browser=!runs --registry=!leads_elsewhere --script-shell=!runs"
        " --node-options=!runs --userconfig<!runs --globalconfig<!runs --reporter= --filter= -F= -r"
        " --prefix=!works_elsewhere -C=!works_elsewhere --dir=!works_elsewhere"
        " --proxy=!leads_elsewhere --https-proxy=!leads_elsewhere --fix",
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
        flags="-c=!runs --call=!runs -p= --package= -y -q",
    ),
    Habit(
        names="yarn, bun", kind=RUNNER, flags="--cwd=!works_elsewhere --use-yarnrc=!leads_elsewhere"
    ),
    Habit(
        names="poetry, pipenv, pdm, hatch",
        flags="-C=!works_elsewhere --source=!leads_elsewhere --directory=!works_elsewhere",
    ),
    Habit(
        names="uv",
        flags="--index=!leads_elsewhere -p=!picks_program --python=!picks_program -q -v"
        " --index-strategy= --directory=!works_elsewhere --project=!works_elsewhere -w=!runs"
        " --with=!runs --with-editable=!runs --with-requirements=!runs",
    ),
    Habit(
        names="gem, bundle",
        flags="-s=!leads_elsewhere --source=!leads_elsewhere -j= --gemfile=!works_elsewhere --path="
        " --without= --with=",
    ),
    Habit(
        names="composer",
        flags="-d=!works_elsewhere --working-dir=!works_elsewhere"
        " --repository=!leads_elsewhere -q -n -v",
    ),
    Habit(
        names="apt, apt-get",
        flags="-o=!runs --option=!runs -c=!leads_elsewhere -t= -y -q -f -s -u -V",
    ),
    Habit(names="conda, mamba", flags="-n= -y -q -p= --name= --file= --export"),
    # What runs a project's own code.
    Habit(
        names="make, gmake",
        kind=RUNNER,
        recipes=True,
        each=1,
        flags="-E=!runs --eval=!runs -f=!works_elsewhere --file=!works_elsewhere"
        " --makefile=!works_elsewhere -C=!works_elsewhere --directory=!works_elsewhere"
        " -I=!works_elsewhere -j? -l? -o= -O? -W= -k -n -s -B -b -d -e -i -L -m -p -q -r -R -S -t"
        " -v -w --output-sync? --debug? --shuffle?",
    ),
    Habit(
        names="just",
        kind=RUNNER,
        recipes=True,
        flags="-c=!runs --command=!runs --chooser=!runs --shell=!runs --shell-command=!runs"
        " -f=!works_elsewhere --justfile=!works_elsewhere -d=!works_elsewhere"
        " --working-directory=!works_elsewhere",
    ),
    Habit(
        names="pandoc",
        flags="-F=!runs --filter=!runs -L=!runs -t=!runs_filter -f=!runs_filter -r=!runs_filter"
        " -w=!runs_filter --to=!runs_filter --from=!runs_filter --read=!runs_filter"
        " --write=!runs_filter -o= --pdf-engine=!runs --lua-filter=!runs --pdf-engine-opt=!runs"
        " -d=!leads_elsewhere --defaults=!leads_elsewhere",
    ),
    Habit(
        names="latexmk, pdflatex, xelatex, lualatex, latex, tex, pdftex",
        kind=RUNNER,
        words=True,
        flags="--e=!runs --r=!runs --usepretex=!runs --pretex=!runs --pdflatex=!runs --latex=!runs"
        " --xelatex=!runs --lualatex=!runs --shell-escape!runs --enable-write18!runs"
        " --cnf-line=!runs --pdf --c --C --silent --interaction="
        " --output-directory=!works_elsewhere --outdir=!works_elsewhere --halt-on-error",
    ),
    Habit(names="tcpdump, tshark, dumpcap", flags="-z=!runs -w=!writes -r= -i= -c= -n -v -A -X -e"),
    Habit(names="podman, docker", flags="--root= --runtime=!runs --module=!leads_elsewhere"),
    Habit(names="just, task, rake, nx, turbo, ant, tox, nox, pre-commit, dune, meson", kind=RUNNER),
    Habit(names="task", recipes=True),
    Habit(
        names="tox",
        kind=RUNNER,
        flags="-c=!works_elsewhere -e= -f= -r -p= -x=!leads_elsewhere --override=!leads_elsewhere",
    ),
    Habit(names="nox", kind=RUNNER, flags="-f=!works_elsewhere -s= -r -R -k= -t= -l -e="),
    Habit(
        names="pre-commit", kind=RUNNER, flags="--hook-stage= -c=!works_elsewhere -a -v --files="
    ),
    Habit(
        names="rake, ant",
        kind=RUNNER,
        each=1,
        flags="-e=!runs -E=!runs -p=!runs -f=!works_elsewhere -R=!works_elsewhere -r=!loads_code"
        " -I=!works_elsewhere",
    ),
    Habit(
        names="mvn, mvnw",
        kind=RUNNER,
        each=1,
        flags="-pl= -am -amd -q -B -o -U -e -X -V -N -ntp -fae -ff -fn -nsu -T= -P= -D= -rf="
        " -l=!overwrites_non_report -f=!works_elsewhere --file=!works_elsewhere -s=!leads_elsewhere"
        " --settings=!leads_elsewhere -gs=!leads_elsewhere --global-settings=!leads_elsewhere"
        " -t=!leads_elsewhere --toolchains=!leads_elsewhere --projects= --threads="
        " --log-file=!overwrites_non_report",
    ),
    Habit(
        names="gradle, gradlew",
        kind=RUNNER,
        each=1,
        flags="-I=!runs --init-script=!runs --include-build=!loads_code -p=!works_elsewhere"
        " --project-dir=!works_elsewhere -b=!works_elsewhere --build-file=!works_elsewhere"
        " -c=!works_elsewhere --settings-file=!works_elsewhere -g=!works_elsewhere"
        " --gradle-user-home=!works_elsewhere -x= -P= -D= -q -i -d -s -S -m -t -a --tests="
        " --exclude-task= --console= --max-workers= --warning-mode= --project-cache-dir="
        " --configuration= --scan!sends",
    ),
    Habit(
        names="cargo",
        kind=RUNNER,
        flags="-p= -j= -q -v -r -F= -e= -i= -Z=!runs --config=!leads_elsewhere"
        " --index=!leads_elsewhere --registry=!leads_elsewhere --git=!leads_elsewhere"
        " --manifest-path=!works_elsewhere --target-dir= --bin= --test= --bench= --example="
        " --features= --target= --package= --exclude= --profile= --message-format= --color= --jobs="
        " --path=!works_elsewhere --edges= --invert=",
    ),
    Habit(names="cargo clippy", kind=RUNNER, flags="--fix!writes"),
    Habit(
        names="go",
        kind=RUNNER,
        words=True,
        flags="--exec=!runs --toolexec=!runs --vettool=!runs --overlay=!runs"
        " --modfile=!leads_elsewhere --compiler=!runs --gccgoflags=!runs --C=!works_elsewhere --o="
        " --run= --skip= --v --x --a --n --p= --race --count= --timeout= --cover --covermode="
        " --coverprofile=!overwrites_non_report --coverpkg= --bench= --benchmem --benchtime="
        " --tags= --ldflags= --gcflags= --asmflags= --json --short --mod= --trimpath --work --i --c"
        " --list= --failfast --parallel= --cpu= --shuffle= --cpuprofile=!overwrites_non_report"
        " --memprofile=!overwrites_non_report --blockprofile=!overwrites_non_report"
        " --mutexprofile=!overwrites_non_report --trace=!overwrites_non_report"
        " --debug-actiongraph=!overwrites_non_output --debug-trace=!overwrites_non_output"
        " --outputdir= --pkgdir= --buildmode= --f= --m --u --e --test --deps --find --fuzz="
        " --fuzztime=",
    ),
    Habit(names="go build", kind=RUNNER, words=True, flags="--o=!overwrites_source"),
    Habit(names="go test", kind=RUNNER, words=True, flags="--o=!overwrites_non_output"),
    # What a compiler or a linker is handed stands in one word.
    Habit(
        names="go build, go test, go install, go run, go vet",
        kind=RUNNER,
        words=True,
        runs=r"-ext(?:ld|ar)[\s='\"]|-extldflags.*(?:-B|-fuse-ld|-specs|-wrapper|-plugin|@)",
        writes=r"(?:\A-(?:o|\w*profile|asmhdr|symabis|linkobj)\s|.[\s='\"]-"
        r"(?:o|\w*profile|asmhdr|symabis|linkobj)[\s=])",
    ),
    Habit(
        names="go tool cover",
        kind=RUNNER,
        words=True,
        flags="--o=!overwrites_non_report --func= --html=",
    ),
    Habit(
        names="trivy",
        flags="--db-repository=!leads_elsewhere --java-db-repository=!leads_elsewhere"
        " --checks-bundle-repository=!leads_elsewhere",
    ),
    Habit(names="rustfmt, cargo fmt", flags="--print-config!writes"),
    Habit(
        names="jsonnet",
        flags="-o=!overwrites_non_report --output-file=!overwrites_non_report -m=!writes"
        " --multi=!writes -J= -V= -A=",
    ),
    Habit(names="go doc", kind=RUNNER, words=True, flags="--http!runs"),
    Habit(names="go env", kind=RUNNER, words=True, flags="--w!writes --u!writes"),
    Habit(
        names="dotnet",
        kind=RUNNER,
        flags="-c= -o= -f= -r= -v= -p= -l= -n -s=!works_elsewhere --settings=!works_elsewhere"
        " --source=!leads_elsewhere --add-source=!leads_elsewhere --configfile=!works_elsewhere"
        " --test-adapter-path=!loads_code --configuration= --framework= --project= --filter="
        " --logger= --collect= --output=",
    ),
    Habit(
        names="cmake",
        kind=RUNNER,
        flags="-S=!works_elsewhere -B= -G= -D= -U= -A= -T= -j? -t= -N -L -C=!loads_code -P=!runs"
        " -E!runs --build= --system-information!runs --install= --preset= --target= --config="
        " --parallel? --toolchain=!loads_code --log-level=",
    ),
    Habit(
        names="ctest",
        kind=RUNNER,
        flags="-R= -E= -L= -LE= -j? -V -VV -N -C= -S=!runs -SP=!runs -D= -O=!overwrites_non_report"
        " -Q -F -I= --test-dir=!works_elsewhere --build-and-test!runs --build-makeprogram=!runs"
        " --test-command=!runs",
    ),
    Habit(
        names="ninja",
        kind=RUNNER,
        flags="-C=!works_elsewhere -f=!works_elsewhere -j= -k= -l= -t= -d= -w= -v -n",
    ),
    Habit(
        names="gcc, g++, cc, c++, clang, clang++, gfortran",
        kind=RUNNER,
        flags="-B=!runs -wrapper=!runs -fplugin=!runs -fplugin-arg= -specs=!runs -specs!runs -o="
        " -D= -I= -L= -W= -f= -m= -O= -l= -s= -U= -x= -M= -E -S -c -g= -p= -n= -Xclang=!runs"
        " -load=!runs -fuse-ld=!runs -fpass-plugin=!runs -fmodule-mapper=!runs --plugin=!runs -t="
        " -d= -i= -r= -T= -u= -v -w -z= -q=",
    ),
    Habit(names="rustc", kind=RUNNER, flags="-C= -L= -l= -o= -O -g -W= -A= -D= -F= -Z=!runs"),
    Habit(
        names="javac",
        kind=RUNNER,
        words=True,
        flags="--processorpath=!loads_code --processor-path=!loads_code --processor=!loads_code"
        " --module-path= --Xplugin=!runs --d=",
    ),
    Habit(
        names="bazel, bazelisk",
        kind=RUNNER,
        flags="--run_under=!runs --override_repository=!loads_code --bazelrc=!works_elsewhere"
        " --config= -c= -k -j=",
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
        flags=f"{_SERVED} -d= -s=!works_elsewhere -c= -b= -D -E -F --cleanDestinationDir!deletes",
    ),
    Habit(
        names="jupyter", kind=RUNNER, flags="--execute --to= --config=!works_elsewhere --output="
    ),
    Habit(names="swift", kind=RUNNER, flags="-c= --configuration= --toolchain=!runs"),
    Habit(
        names="uvicorn, gunicorn, hypercorn, daphne, http-server, serve, puma",
        kind=RUNNER,
        flags=_SERVED,
    ),
    Habit(
        names="pytest, py.test",
        kind=RUNNER,
        flags="-p=!runs -c=!works_elsewhere --config-file=!works_elsewhere -o= --override-ini="
        " --pyargs!runs --pdbcls=!runs --co --collect-only -k= -m= -n= -q -v -x -s -l -W= -r="
        " --cov? --cov-report=!overwrites_non_report --html=!overwrites_non_output"
        " --md=!overwrites_non_report --csv=!overwrites_non_report"
        " --resultlog=!overwrites_non_report --debug?!overwrites_non_report"
        " --cov-config=!works_elsewhere --rootdir=!works_elsewhere --confcutdir=!works_elsewhere"
        " --junitxml=!overwrites_non_report --junit-xml=!overwrites_non_report --import-mode="
        " --basetemp=!deletes --tb= --pastebin=!sends --tx=!leads_elsewhere --maxfail= --durations="
        " --timeout= --dist= --ds= --log-level= --color= --capture=",
    ),
    Habit(
        names="jest",
        kind=RUNNER,
        flags="--globalSetup=!runs --globalTeardown=!runs --setupFiles=!loads_code"
        " --setupFilesAfterEnv=!loads_code --resolver=!runs --runner=!runs --testRunner=!runs"
        " --testSequencer=!runs --rootDir=!works_elsewhere -c=!works_elsewhere --transform=!runs"
        " --globals= -t= -u -i -w= -o --ci --silent",
    ),
    Habit(
        names="vitest, playwright, mocha, ava, cypress, karma, webpack, vite, rollup, esbuild,"
        " next, nuxt, ng, storybook, tsup, parcel, tsx, ts-node, react-scripts, prisma, wrangler,"
        " astro, expo, c8, nyc, tap, wdio, cucumber-js, lerna, gulp, grunt",
        kind=RUNNER,
        flags=f"{_SERVED} -c=!works_elsewhere -r=!loads_code --require=!loads_code"
        " --import=!loads_code --root=!works_elsewhere --dir=!works_elsewhere --browser= --spec="
        " --reporter= -t= -g= -j= -u -x --url= --base-url= --outDir=!deletes --emptyOutDir",
    ),
    Habit(names="cypress", kind=RUNNER, flags="--config= -b= -o=!overwrites_non_report"),
    Habit(
        names="mocha",
        kind=RUNNER,
        flags="-O=!overwrites_non_report --inspect?!listens --inspect-brk?!listens"
        " --inspect-port=!listens",
    ),
    Habit(
        names="c8, nyc",
        kind=RUNNER,
        flags="-o=!overwrites_non_report --temp-dir=!overwrites_non_report",
    ),
    Habit(names="playwright test", kind=RUNNER, flags="--output=!overwrites_non_report"),
    Habit(
        names="rspec, phpunit, codecept, pest, minitest, cucumber",
        kind=RUNNER,
        flags="-c=!works_elsewhere --configuration=!works_elsewhere -r=!loads_code"
        " --require=!loads_code --bootstrap=!loads_code -I=!loads_code -f= -t= -e= -P= -d="
        " --filter= --tag= --format= -o=!overwrites_non_report --out=!overwrites_non_report",
    ),
    Habit(
        names="gdb, lldb",
        words=True,
        flags="--ex=!runs --iex=!runs --x=!runs --ix=!runs --eval-command=!runs --command=!runs"
        " --o=!runs --init-eval-command=!runs --init-command=!runs --O=!runs --s=!runs --S=!runs"
        " --k=!runs --one-line=!runs --source=!runs",
    ),
    Habit(
        names="nix develop, nix shell, nix run, nix build, nix eval",
        flags="-c=!runs --command=!runs --expr=!runs --option=!leads_elsewhere",
    ),
    Habit(names="fzf", flags="--preview=!runs --bind=!runs"),
    Habit(names="rubocop, bun test", flags="-r=!runs"),
    Habit(
        names="coverage",
        kind=CHECKER,
        flags="-m -i --rcfile=!works_elsewhere --source= --export -o=!overwrites_non_report"
        " -d=!overwrites_non_report",
    ),
    Habit(
        names="bandit, semgrep, trivy, pylint, golangci-lint, deno test, behave, robot, strace,"
        " ltrace, perf, py-spy, hyperfine, cargo llvm-cov",
        flags="-o=!overwrites_non_report --output=!overwrites_non_report"
        " --coverage=!overwrites_non_report  --output-path=!overwrites_non_report",
    ),
    Habit(names="robot", flags="-d=!overwrites_non_report"),
    Habit(names="coverage run", kind=INTERPRETER, flags="--data-file=!overwrites_non_report"),
    # What looks through a project.
    Habit(
        names="eslint, tslint, oxlint, biome, stylelint, standard, xo",
        kind=CHECKER,
        flags="--fix!writes --fix-type= -o=!overwrites_non_report"
        " --output-file=!overwrites_non_report --rulesdir=!runs --plugin=!runs --parser=!runs"
        " --resolve-plugins-relative-to=!runs -f=!runs --formatter=!runs --format=!runs"
        " -c=!works_elsewhere --config=!works_elsewhere --ext= --rule= --cache --cache-strategy="
        " --cache-file=!overwrites_non_report --cache-location=!overwrites_non_report"
        " --max-warnings= --env= --global= --ignore-path= --ignore-pattern= --write!writes"
        " --apply!writes --custom-syntax=",
    ),
    Habit(
        names="prettier",
        kind=CHECKER,
        flags="--write!writes -w!writes -c -l -u --check --list-different --plugin=!runs"
        " --plugin-search-dir=!runs --config=!works_elsewhere --parser= --log-level="
        " --ignore-path=",
    ),
    Habit(
        names="ruff, black, isort, autopep8, yapf, autoflake, pyupgrade, rubocop, golangci-lint,"
        " markdownlint, markdownlint-cli2, sqlfluff, buf, clang-tidy, clang-format, shfmt, gofmt,"
        " goimports, swiftlint, ktlint, detekt, tflint, hadolint, shellcheck, yamllint, vale,"
        " actionlint, checkov, semgrep, bandit, vulture, pydocstyle, codespell, cspell, djlint,"
        " ansible-lint, kubeconform, conftest, phpstan, psalm, phpcs, credo, dprint, taplo",
        kind=CHECKER,
        flags="--fix!writes -w!writes -i!writes -a!writes -A!writes --output-format="
        " -c=!works_elsewhere",
    ),
    Habit(
        names="ruff",
        kind=CHECKER,
        flags="-o=!overwrites_non_report --output-file=!overwrites_non_report -q -e -n -s -w -i"
        " --unsafe-fixes --config=!works_elsewhere --isolated",
    ),
    Habit(names="black, isort, yapf", kind=CHECKER, flags="-c -a= -w= -l= -q -v -i -t= -C -S -e="),
    Habit(
        names="shellcheck, hadolint, bandit",
        kind=CHECKER,
        flags="-a -x -e= -f= -s= -S= -i= -P= -r -c= -w= -o=!overwrites_non_report -W=",
    ),
    Habit(names="tsc, vue-tsc", kind=CHECKER, flags="--init --pretty"),
    Habit(
        names="mypy, pyright, pytype, pyre, flake8, pylint, pylama, tsc, vue-tsc, svelte-check",
        kind=CHECKER,
        flags="--install-types!runs --python-executable=!runs --config-file=!works_elsewhere -p="
        " -m= -c= -P --project= --load-plugins=!runs --init-hook=!runs --rcfile=!works_elsewhere -b"
        " -w --outDir=!works_elsewhere --pythonpath=!runs --outputjson --output-format=",
    ),
    Habit(
        names="pylint",
        kind=CHECKER,
        flags="-f=!runs_filter --output-format=!runs_filter --unsafe-load-any-extension=!runs",
    ),
    # What takes files, and fetches them where it is given addresses.
    Habit(
        names="pandoc, magick, convert, identify, mogrify, kustomize build, helm template,"
        " helm lint, helm install, helm upgrade, xmllint, xmlstarlet, xsltproc, ffprobe, gdalinfo,"
        " kubectl apply, kubectl diff",
        flags="--host=!leads_elsewhere",
    ),
    # What runs whatever it is given.
    Habit(
        names="node, nodejs, deno run, python, python2, python3, ruby, perl, php, lua, bash, sh,"
        " zsh,"
        " Rscript, julia, java, kotlin, scala, groovy, elixir, pypy, pypy3, tclsh, dash, ksh",
        kind=INTERPRETER,
        flags="-r=!runs --require=!runs --import=!runs --loader=!runs --experimental-loader=!runs"
        " --env-file= --test --check --watch",
    ),
    Habit(
        names="perl, ruby",
        kind=INTERPRETER,
        flags="-e=!runs -E=!runs -M=!loads_code -m=!loads_code -I=!loads_code -r=!loads_code -n -p"
        " -c -w -W -l -a -s -S -t -T -u -U -v -V -x -0 -i? -F=",
    ),
    Habit(
        names="ffmpeg, ffplay",
        flags="--host=!leads_elsewhere -i= -f= -c= -b= -r= -t= -s= -y -n -an -vn",
    ),
    Habit(
        names="cargo run, go run, dotnet run, swift run, mix run, php artisan, rails runner,"
        " bun run, docker compose exec",
        kind=RUNNER,
    ),
    Habit(
        names="deno",
        kind=RUNNER,
        flags="-A!widens_rights --allow-all!widens_rights --allow-run?!widens_rights"
        " --allow-ffi?!widens_rights --allow-read? --allow-net? --allow-write?!widens_rights"
        " --allow-import?!widens_rights --allow-sys?!widens_rights --allow-env? -c=!works_elsewhere"
        " --import-map=!works_elsewhere --lock=!writes",
    ),
    Habit(
        names="gpg, gpg2",
        flags="--card-status!runs --card-edit!runs --edit-card!runs --change-pin!runs -s!runs"
        " --sign!runs --photo-viewer=!runs --exec-path=!runs -b!runs --detach-sign!runs"
        " --clear-sign!runs --clearsign!runs -d!runs --decrypt!runs --homedir=!works_elsewhere"
        " --options=!runs",
    ),
    Habit(names="ssh", flags="-l=!widens_rights -K!widens_rights -S=!leads_elsewhere"),
    Habit(names="open, xdg-open", each=1),
    # What runs what its words say, in ways of its own.
    Habit(names="perf", flags="--pre=!runs --post=!runs --objdump=!runs --addr2line=!runs"),
    Habit(
        names="rclone",
        flags="--sftp-ssh=!runs --password-command=!runs --metadata-mapper=!runs"
        " --config=!leads_elsewhere",
    ),
    Habit(names="cdk", flags="-a=!runs --app=!runs"),
    Habit(names="nodemon", kind=RUNNER, flags="-x=!runs --exec=!runs"),
    Habit(names="feh", flags="-A=!runs --action=!runs --info=!runs"),
    Habit(names="helmfile", flags="-b=!runs --helm-binary=!runs -k=!runs --kustomize-binary=!runs"),
    Habit(names="ssh-keygen", flags="-D=!runs -w=!runs -f= -t= -b= -C= -N= -l -y -E= -R= -F="),
    Habit(names="ssh-add", flags="-s=!runs -S=!runs -l -L -d -D -t="),
    Habit(names="exiftool", words=True, flags="--if=!runs --config=!runs --w=!writes --o=!writes"),
    Habit(
        names="mlr",
        flags="--prepipe=!runs --prepipex=!runs --prepipe-gunzip --load=!runs --mload=!runs"
        " -s=!runs",
    ),
    Habit(
        names="gs, ps2pdf",
        flags="-dNOSAFER!widens_rights -sDEVICE= -sOutputFile=!writes -I=!loads_code",
    ),
    Habit(
        names="groff, troff, pdfroff",
        flags="-U!widens_rights -M=!loads_code -F=!loads_code -m= -T= -t -e -p",
    ),
    Habit(names="meson test", kind=RUNNER, flags="--wrap=!runs --wrapper=!runs --gdb-path=!runs"),
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
        beyond=Escape.RUNS,
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
        beyond=Escape.LOADS_CODE,
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
        beyond=Escape.LEADS_ELSEWHERE,
    ),
    # What loses or rewrites what is there.
    Habit(
        names="python manage.py flush, python manage.py reset_db, manage.py flush, manage.py"
        " reset_db, php artisan db:wipe, php artisan migrate:fresh, php artisan migrate:reset,"
        " php artisan migrate:refresh, sequelize-cli db:drop, sequelize-cli"
        " db:migrate:undo:all, prisma migrate reset, rails db:drop, rails db:reset, rails"
        " destroy, dotnet ef database drop, airflow db reset, typeorm schema:drop",
        beyond=Escape.DELETES,
    ),
    # What runs code that its flags hold, or a file of it, beside what it is there for.
    Habit(
        names="ts-node, tsx, vite-node, babel-node",
        flags="-e=!runs --eval=!runs -p=!runs --print=!runs -pe=!runs -C=!runs --compiler=!runs",
    ),
    Habit(
        names="node, nodejs",
        kind=INTERPRETER,
        flags="-e=!runs --eval=!runs -p=!runs --print=!runs -pe=!runs -i!runs --interactive!runs"
        " --test-global-setup=!loads_code --inspect?!listens --inspect-brk?!listens"
        " --inspect-port=!listens --inspect-wait?!listens",
    ),
    Habit(names="yarn node", flags="-e=!runs --eval=!runs -p=!runs --print=!runs -r=!loads_code"),
    Habit(names="bun", kind=RUNNER, flags="-e=!runs --eval=!runs -p=!runs --print=!runs"),
    Habit(
        names="mix run",
        kind=RUNNER,
        flags="-e=!runs --eval=!runs -r=!loads_code --require=!loads_code",
    ),
    Habit(names="mix test", kind=RUNNER, flags="--formatter= --require=!loads_code -r=!loads_code"),
    Habit(
        names="iex, ghci",
        flags="-e=!runs --eval=!runs --dot-iex=!loads_code -ghci-script=!loads_code",
    ),
    Habit(names="ghci, ghc", words=True, flags="--e=!runs --fplugin=!runs --pgmF=!runs --F!runs"),
    Habit(
        names="cabal",
        kind=RUNNER,
        flags="-w=!runs --with-compiler=!runs --with-ghc=!runs --with-ghc-pkg=!runs"
        " --with-hc-pkg=!runs --ghc-options= --repl-options=!runs --test-wrapper=!runs"
        " --project-file=!works_elsewhere --config-file=!leads_elsewhere",
    ),
    Habit(
        names="stack",
        kind=RUNNER,
        flags="--exec=!runs --with-gcc=!runs --with-hpack=!runs --stack-yaml=!works_elsewhere"
        " --stack-root=!works_elsewhere --docker!runs --setup",
    ),
    Habit(
        names="rails",
        kind=RUNNER,
        flags="-r=!loads_code -c=!works_elsewhere --config=!works_elsewhere -m=!runs",
    ),
    Habit(names="lein do", beyond=Escape.RUNS),
    Habit(
        names="cargo watch",
        flags="-x= --exec= -s=!runs --shell=!runs -w= -d= -i= -c -q -C=!works_elsewhere",
    ),
    Habit(names="cargo flamegraph", flags="-c=!runs --cmd=!runs -o=!overwrites_non_output"),
    Habit(names="cargo build", flags="--out-dir=!deletes --artifact-dir=!deletes"),
    Habit(names="mise exec, mise x", flags="-c=!runs --command=!runs"),
    Habit(names="doppler run, infisical run", flags="--command=!runs"),
    Habit(names="vagrant ssh, fly ssh", flags="-c=!runs --command=!runs -C=!runs"),
    Habit(
        names="pixi, volta, fnm, pyenv, rbenv, devbox, lerna, opam, mise",
        kind=RUNNER,
        flags="--manifest-path=!works_elsewhere --npm-client=!runs",
    ),
    Habit(
        names="bazel, bazelisk",
        kind=RUNNER,
        flags="--remote_cache=!leads_elsewhere --remote_executor=!leads_elsewhere"
        " --bes_backend=!leads_elsewhere --registry=!leads_elsewhere --credential_helper=!runs"
        " --python_path=!runs --host_jvm_args=!runs --server_javabase=!runs"
        " --shell_executable=!runs --workspace_status_command=!runs --override_module=!loads_code"
        " --output_user_root=!works_elsewhere --output_base=!works_elsewhere"
        " --symlink_prefix=!works_elsewhere --distdir=!works_elsewhere --disk_cache=",
    ),
    Habit(
        names="ant",
        kind=RUNNER,
        words=True,
        flags="--main=!runs --lib=!loads_code --logger=!runs --listener=!runs --inputhandler=!runs",
    ),
    Habit(
        names="ctest",
        kind=RUNNER,
        flags="--output-log=!overwrites_non_report --output-junit=!overwrites_non_report",
    ),
    Habit(
        names="cmake",
        kind=RUNNER,
        flags="--trace-redirect=!overwrites_non_report --graphviz=!overwrites_non_report",
    ),
    # Behind `-E` these words are what it does itself; others run what follows.
    Habit(
        names="cmake cat, cmake echo, cmake echo_append, cmake compare_files, cmake md5sum,"
        " cmake sha1sum, cmake sha224sum, cmake sha256sum, cmake sha384sum, cmake sha512sum,"
        " cmake capabilities, cmake make_directory, cmake touch, cmake touch_nocreate",
        kind=RUNNER,
        flags="-E",
    ),
    Habit(
        names="lldb", words=True, flags="--one-line-before-file=!runs --source-before-file=!runs"
    ),
    Habit(
        names="lldb, gdb",
        words=True,
        flags="--P=!runs --python=!runs --p=!widens_rights --pid=!widens_rights",
    ),
    Habit(
        names="strace, ltrace",
        flags="-p=!widens_rights --attach=!widens_rights -u=!widens_rights --user=!widens_rights",
    ),
    Habit(
        names="hyperfine",
        flags="-S=!runs --shell=!runs --export-json=!overwrites_non_report"
        " --export-csv=!overwrites_non_report",
    ),
    Habit(
        names="mongosh, mongo",
        each=1,
        flags="--host=!leads_elsewhere -f=!runs --file=!runs --eval=!runs",
    ),
    Habit(names="duckdb", flags="-f=!runs --file=!runs -init=!runs"),
    Habit(
        names="mysql, mariadb, mycli",
        each=1,
        flags="--pager=!runs",
    ),
    Habit(
        names="mysqldump, mariadb-dump",
        flags="-r=!overwrites_non_output"
        " --result-file=!overwrites_non_output -T=!writes --tab=!writes",
    ),
    Habit(names="psql", each=1, flags="-P= --pset="),
    Habit(
        names="sqlcmd, isql, bcp", flags="-S=!leads_elsewhere -Q=!runs -q=!runs -i=!runs -o=!writes"
    ),
    Habit(names="redis-cli, valkey-cli", flags="--pipe!runs -x!sends -X=!sends"),
    Habit(
        names="ansible, ansible-playbook",
        each=1,
        flags="--connection= --become-method=!runs --host=!leads_elsewhere",
        runs=r"\A(?:-i|--inventory=)?[\w./-]+\.(?:sh|bash|py|rb|pl|js)\Z",
    ),
    Habit(
        names="php, phpunit",
        flags="-d= -z=!runs -c=!works_elsewhere --extension=!runs --printer=!runs --loader=!runs",
    ),
    Habit(names="phpunit", kind=RUNNER, flags="--generate-configuration!writes"),
    Habit(names="phpstan", kind=CHECKER, flags="-a=!loads_code --autoload-file=!loads_code"),
    Habit(
        names="rubocop",
        kind=CHECKER,
        flags="-o=!overwrites_non_report --out=!overwrites_non_report --require=!loads_code",
    ),
    Habit(
        names="rspec",
        kind=RUNNER,
        flags="--init!writes -O=!works_elsewhere --options=!works_elsewhere",
    ),
    Habit(
        names="gunicorn",
        kind=RUNNER,
        flags="-k=!works_elsewhere --worker-class=!works_elsewhere -c=!works_elsewhere"
        " --config=!works_elsewhere --logger-class=!works_elsewhere --pythonpath=!works_elsewhere"
        " --chdir=!works_elsewhere --paste=!works_elsewhere --log-config=!works_elsewhere",
    ),
    Habit(
        names="sphinx-build",
        kind=RUNNER,
        flags="-c=!works_elsewhere -D= -A= -w=!overwrites_non_report -d= -b= -j= -t= -W -n -q -E -a"
        " -M",
    ),
    Habit(names="scrapy", flags="-s= -a= -o= --output= -O=!overwrites_source"),
    Habit(
        names="k6",
        kind=RUNNER,
        flags="-o=!overwrites_non_report --out=!overwrites_non_report -e= -u= -d= -i=",
    ),
    Habit(names="wrk, ab", each=1, flags="-s=!runs -t= -c= -d= -n= -H= -k"),
    Habit(
        names="act",
        kind=RUNNER,
        flags="-P=!loads_code --platform=!loads_code -W= --workflows= -j= -s=!shows_secrets"
        " --secret=!shows_secrets --container-options=!widens_rights --bind!widens_rights",
    ),
    Habit(names="buf generate", kind=CHECKER, flags="--template=!works_elsewhere"),
    Habit(names="convert, magick", flags="--host=!leads_elsewhere"),
    Habit(
        names="cdk", flags="-a=!runs --app=!runs -b=!runs --build=!runs -o=!deletes --plugin=!runs"
    ),
    Habit(
        names="esbuild",
        kind=RUNNER,
        flags="--metafile=!overwrites_non_report --allow-overwrite!writes",
    ),
    Habit(
        names="rollup, webpack", kind=RUNNER, flags="-p=!runs --plugin=!runs --output-clean!deletes"
    ),
    Habit(
        names="rollup",
        kind=RUNNER,
        flags="--watch.onStart=!runs --watch.onBundleStart=!runs --watch.onBundleEnd=!runs"
        " --watch.onEnd=!runs --watch.onError=!runs",
    ),
    Habit(
        names="tsc-watch",
        kind=RUNNER,
        flags="--onSuccess=!runs --onFailure=!runs --onFirstSuccess=!runs"
        " --onCompilationStarted=!runs --onCompilationComplete=!runs --onEmit=!runs",
    ),
    Habit(names="chokidar", flags="-c=!runs --command=!runs"),
    Habit(names="npm-run-all, run-s, run-p", kind=RUNNER, flags="--npm-path=!runs"),
    Habit(
        names="jest",
        kind=RUNNER,
        flags="--moduleNameMapper=!runs --haste=!runs --modulePaths=!works_elsewhere"
        " --moduleDirectories=!works_elsewhere --roots=!works_elsewhere --projects=!works_elsewhere"
        " --preset=!works_elsewhere --watchPlugins=!runs --cacheDirectory=",
    ),
    Habit(
        names="cypress",
        kind=RUNNER,
        flags="--browser=!loads_code -b=!loads_code --project=!works_elsewhere -P=!works_elsewhere",
    ),
    Habit(
        names="vitest, playwright, vite, next, storybook, wrangler, expo",
        kind=RUNNER,
        flags="--ui-host=!listens --api.host=!listens --inspect?!listens --inspect-brk?!listens",
    ),
    Habit(
        names="prisma",
        kind=RUNNER,
        flags="--url=!leads_elsewhere --accept-data-loss!deletes --to-url=!leads_elsewhere"
        " --from-url=!leads_elsewhere --shadow-database-url=!leads_elsewhere",
    ),
    Habit(
        names="pytest, py.test",
        writes=r"\A(?:-[A-Za-z]*o|--ov[a-z-]*=)?cache_dir=(?!/|\.\w|(?!\S*\.\.)\S*cache)",
        kind=RUNNER,
        flags="--px=!runs --selenium-host=!leads_elsewhere --rsyncdir="
        " --docker-compose-file=!works_elsewhere",
    ),
    Habit(names="ng", kind=RUNNER, flags="--karma-config=!works_elsewhere --output-path=!deletes"),
    # Rights that a container asks for, and what a build takes from this machine.
    Habit(
        names="docker run, docker create, docker container run, docker container create,"
        " podman run, podman create, nerdctl run",
        flags="--group-add=!widens_rights --annotation=!runs --oom-kill-disable!widens_rights"
        " --log-opt=!leads_elsewhere --dns=!leads_elsewhere --storage-opt=!widens_rights"
        " --label-file<",
    ),
    Habit(
        names="docker build, docker buildx build, docker image build, podman build",
        flags="--secret=!shows_secrets --builder=!leads_elsewhere --sbom=!runs --attest=!runs"
        " --cgroup-parent=!widens_rights",
    ),
    Habit(
        names="docker compose, docker-compose, podman compose",
        flags="-o=!overwrites_non_output --output=!overwrites_non_output",
    ),
    Habit(
        names="docker save, docker image save, podman save",
        flags="-o=!overwrites_non_output --output=!overwrites_non_output",
    ),
    Habit(names="docker commit, docker import", flags="--change=!runs -c=!runs"),
    Habit(names="docker network create, docker volume create", flags="--driver=!runs -d=!runs"),
    Habit(names="docker stack deploy", flags="-c= --compose-file="),
    Habit(names="docker buildx bake", flags="--set=!writes -f="),
    Habit(
        names="kubectl run, oc run", flags="--overrides=!widens_rights --privileged!widens_rights"
    ),
    Habit(
        names="devcontainer",
        flags="--docker-path=!runs --docker-compose-path=!runs --mount=!widens_rights",
    ),
    # Where a program's own things come from.
    Habit(
        names="pipenv",
        flags="--python=!picks_program --extra-pip-args=!leads_elsewhere"
        " --index=!leads_elsewhere -i=!leads_elsewhere",
    ),
    Habit(
        names="nox",
        kind=RUNNER,
        flags="--force-python=!picks_program --report=!overwrites_non_report --envdir=",
    ),
    Habit(
        names="poetry export, pdm export",
        flags="-o=!overwrites_non_output --output=!overwrites_non_output",
    ),
    Habit(
        names="just",
        kind=RUNNER,
        flags="--cygpath=!runs --tempdir=!works_elsewhere -g!loads_code"
        " --global-justfile!loads_code --edit!runs -e!runs --choose!runs --set=",
    ),
    Habit(
        names="task",
        kind=RUNNER,
        flags="-g!loads_code --global!loads_code --insecure!leads_elsewhere -d=!works_elsewhere"
        " --dir=!works_elsewhere -t=!works_elsewhere --taskfile=!works_elsewhere",
    ),
    Habit(names="rake", kind=RUNNER, flags="-g!loads_code --system!loads_code"),
    Habit(
        names="nx",
        kind=RUNNER,
        flags="--outputPath=!deletes --runner=!runs --file=!overwrites_non_report",
    ),
    Habit(
        names="turbo",
        kind=RUNNER,
        flags="--graph=!overwrites_non_report"
        " --profile=!overwrites_non_report --api=!leads_elsewhere",
    ),
    Habit(
        names="uv run", flags="-p=!picks_program --python=!picks_program -m=!runs --module=!runs"
    ),
    Habit(names="ansible", each=1, flags="-a=!runs --args=!runs"),
    Habit(names="gdb", words=True, flags="--args!runs"),
    Habit(
        names="playwright open, playwright codegen, playwright screenshot, playwright pdf",
        beyond=Escape.LEADS_ELSEWHERE,
    ),
    Habit(names="onchange, npm-watch, wait-on", kind=RUNNER),
    Habit(
        names="xcodebuild",
        kind=RUNNER,
        words=True,
        flags="--xcconfig=!works_elsewhere --project=!works_elsewhere --workspace=!works_elsewhere"
        " --derivedDataPath=!works_elsewhere --scheme= --destination= --configuration= --sdk="
        " --toolchain=!runs",
    ),
    Habit(names="swift", kind=RUNNER, flags="-Xlinker=!runs --disable-sandbox!widens_rights"),
    Habit(
        names="deno run, deno test, deno task, deno",
        flags="-W?!widens_rights -R? -N? -E? -P?!widens_rights -RW!widens_rights -WR!widens_rights"
        " -NW!widens_rights -WN!widens_rights",
    ),
    Habit(
        names="celery",
        kind=RUNNER,
        flags="-A= -b=!leads_elsewhere --broker=!leads_elsewhere --config=!leads_elsewhere"
        " --workdir=!works_elsewhere",
    ),
    Habit(names="perf script", flags="-s=!runs --script=!runs -g=!runs --gen-script=!runs"),
    Habit(
        names="drush php:eval, drush ev, drush php:script, drush php:cli, drush sql:query,"
        " drush sql:cli, drush sql-cli, drush sqlq, wp eval, wp eval-file, wp shell, wp db query,"
        " wp db cli, symfony php, knife ssh, knife exec, hardhat console, crystal eval,"
        " crystal tool, fastlane run, fastlane action, inspec shell, kitchen exec, minikube ssh,"
        " colima ssh,"
        " podman machine ssh, firebase emulators:exec, netlify dev:exec, adb shell, rebar3 shell,"
        " kustomize fn, firebase functions:shell",
        beyond=Escape.RUNS,
    ),
    Habit(
        names="composer create-project, composer global, wp plugin install, wp theme install,"
        " trivy plugin, forge install, dub run",
        beyond=Escape.LOADS_CODE,
    ),
    Habit(names="composer config, flux bootstrap", beyond=Escape.LEADS_ELSEWHERE),
    Habit(names="changeset publish", beyond=Escape.SENDS),
    Habit(
        names="wp, drush, composer",
        kind=RUNNER,
        flags="--ssh=!leads_elsewhere --exec=!runs --require=!loads_code",
    ),
    Habit(
        names="testcafe",
        kind=RUNNER,
        flags="-a=!runs --app=!runs --cs=!runs --config-file=!works_elsewhere",
    ),
    Habit(names="netlify dev", kind=RUNNER, flags="-c=!runs --command=!runs"),
    Habit(names="zx, scala-cli", kind=RUNNER, flags="-e=!runs --eval=!runs --execute-script=!runs"),
    Habit(
        names="scons, mage, air, doit, invoke, inv, fab",
        kind=RUNNER,
        words=True,
        flags="--gocmd=!runs --H=!leads_elsewhere --c=!works_elsewhere --f=!works_elsewhere"
        " --d=!works_elsewhere --C=!works_elsewhere",
    ),
    Habit(names="javadoc", words=True, flags="--doclet=!runs --docletpath=!runs"),
    Habit(names="puppet apply", flags="-e=!runs --execute=!runs"),
    Habit(names="inspec, kitchen, ansible-console", flags="-c=!runs --command=!runs"),
    Habit(names="postcss", kind=RUNNER, flags="-u=!runs --use=!runs --config=!works_elsewhere"),
    Habit(names="standard-version, release-it", kind=RUNNER, flags="--scripts=!runs --hooks=!runs"),
    Habit(
        names="forge", kind=RUNNER, flags="--ffi!runs --broadcast!sends --fork-url=!leads_elsewhere"
    ),
    Habit(
        names="terragrunt",
        flags="--terragrunt-tfpath=!runs --tf-path=!runs --terragrunt-json-out=!overwrites_source"
        " --json-out=!overwrites_source",
    ),
    Habit(names="nginx", flags="-g=!runs -c=!works_elsewhere -p=!works_elsewhere"),
    Habit(names="nim", kind=RUNNER, flags="--passC=!runs --passL=!runs --gcc.exe=!runs"),
    Habit(names="clojure, clj", flags="-Sdeps=!loads_code -e=!runs --eval=!runs -M? -A? -T? -X?"),
    Habit(names="semgrep", kind=CHECKER, flags="--autofix!writes"),
    Habit(
        names="julia, Rscript, lua, luajit, R, elixir, raku, ocaml, groovy, scala",
        kind=INTERPRETER,
        flags="-e=!runs -E=!runs --eval=!runs -L=!loads_code --rpc-eval=!runs --erl=!runs",
    ),
    Habit(names="salt-call cmd.run, salt-call cmd.script, salt * cmd.run", beyond=Escape.RUNS),
    Habit(
        names="gleam run, rebar3 as",
        kind=RUNNER,
        flags="-m=!works_elsewhere --module=!works_elsewhere",
    ),
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
        flags="-p=!runs",
    ),
    Habit(
        names="mlr",
        runs=r"\b(?:tee|e?print\w*|emit\w*|e?dump)\b[^|>]*\|\s*\"|\b(?:system|exec)\s*\(",
        writes=r"\b(?:tee|e?print\w*|emit\w*|e?dump)\b[^>]*>\s*[\"$]|\A(?:tee|split)\Z",
        flags="-I!writes",
    ),
    Habit(names="convert, identify, magick, mogrify", runs=r"\A(?:msl|ephemeral|x|show|win):"),
    Habit(
        names="ffprobe",
        flags="-o=!overwrites_source -of= -print_format= -i= -v= -show_entries= -select_streams="
        " -report!writes",
    ),
    Habit(names="ffmpeg, ffprobe", writes=r"\[\w+=[^]]*\]\S"),
    # What loads code of its own, or turns a check into more.
    Habit(names="lighthouse", flags="--chrome-flags=!runs --config-path=!runs --plugins=!runs"),
    Habit(
        names="javac", words=True, flags="--processor=!runs --processorpath=!runs --Xplugin?!runs"
    ),
    Habit(names="stack, cabal", runs=r"-fplugin|-pgm\w", flags="--with-ghc=!runs"),
    Habit(
        names="dotnet",
        runs=r"\A[-/]{1,2}(?:p|property):\w*(?:Event|ToolPath|AdapterPath|Exec\w*|Command\w*)=",
    ),
    Habit(names="playwright, playwright test", kind=RUNNER, flags="--ui --ui-host=!listens"),
    Habit(
        names="http, https, xh, xhs",
        sends=r"\A[\w-]*(?::=|==|=|:)?@.|\A--?raw=@",
        flags="--follow!leads_elsewhere -F!leads_elsewhere",
    ),
    Habit(names="swift", flags="-Xcc=!runs -Xcxx=!runs -Xswiftc=!runs"),
    Habit(names="zig, zig build", flags="--build-runner=!runs"),
    Habit(
        names="clang-tidy",
        flags="--extra-arg=!runs --extra-arg-before=!runs --load=!runs"
        " --export-fixes=!overwrites_non_report",
    ),
    Habit(names="vim, view, nvim, vimdiff", flags="-s=!runs -w=!writes -W=!writes -S=!runs"),
    Habit(
        names="bazel, bazelisk",
        runs=r"\A--(?:test|action|repo)_env=(?:LD_|DYLD_|PATH|BASH_ENV)",
        flags="--crosstool_top=!runs --test_env= --action_env= --repo_env="
        " --profile=!overwrites_non_report --build_event_json_file=!overwrites_non_report"
        " --build_event_text_file=!overwrites_non_report"
        " --build_event_binary_file=!overwrites_non_report"
        " --execution_log_json_file=!overwrites_non_report"
        " --execution_log_binary_file=!overwrites_non_report --explain=!overwrites_non_report"
        " --output_file=!overwrites_non_report --memory_profile=!overwrites_non_report",
    ),
    Habit(names="sphinx-build", runs=r"\A(?:extensions|html_theme\w*|suppress\w*)="),
    Habit(
        names="jupyter nbconvert",
        flags="--execute --inplace!writes --to=!runs_filter --config=!runs --allow-errors"
        " --Exporter.preprocessors=!runs --TemplateExporter.filters=!runs",
    ),
    Habit(names="tox", flags="--force-dep=!runs -x=!runs --override=!runs"),
    Habit(names="bun, bun run", flags="--install=!runs --inspect?!listens --inspect-brk?!listens"),
    Habit(
        names="eslint, tflint",
        flags="--init!loads_code --suppress-all!writes --prune-suppressions!writes",
    ),
    Habit(names="npm view, npm info, npm show", runs=r"\A(?:https?|git\S*|github|file):"),
    Habit(names="helm template, helm lint", flags="--dependency-update!loads_code"),
    Habit(
        names="journalctl",
        flags="--setup-keys!writes --update-catalog!writes --relinquish-var!writes",
    ),
    Habit(names="lsof", flags="-D=!writes"),
    Habit(
        names="kubectl, oc",
        flags="--insecure-skip-tls-verify?!leads_elsewhere"
        " --insecure-skip-tls-verify-backend?!leads_elsewhere",
    ),
    Habit(names="deno", flags="--unsafely-ignore-certificate-errors?!leads_elsewhere"),
    Habit(
        names="ansible, ansible-playbook",
        flags="-b!widens_rights --become!widens_rights --become-user=!widens_rights"
        " --become-method=!widens_rights -K!widens_rights --ask-become-pass!widens_rights",
    ),
    Habit(
        names="ansible-inventory",
        flags="-i=!names_machines --inventory=!names_machines --output=!overwrites_non_output"
        " --vault-password-file=!runs --vault-id=!runs --playbook-dir=!works_elsewhere --list"
        " --graph --host= --yaml -y -v",
        runs=r"\A(?:-i|--inv[a-z]*=)?[\w./ -]+\.(?:sh|bash|py|rb|pl|js)\Z",
    ),
    Habit(
        names="kustomize build",
        flags="--load-restrictor=!widens_rights --enable-exec!runs -o=!overwrites_non_report",
    ),
    Habit(
        names="ctest",
        sends=r"\A(?:-[DT]|--[a-z-]+=)?(?:\w*(?:Submit|Upload)|Experimental|Nightly|Continuous)\Z",
    ),
    Habit(
        names="openssl s_client",
        flags="-msgfile=!overwrites_non_report -keylogfile=!overwrites_non_report"
        " -sess_out=!overwrites_non_report -msg_file=!overwrites_non_report",
    ),
    Habit(
        names="gpg, gpg2",
        flags="--status-file=!overwrites_non_report --logger-file=!overwrites_non_report"
        " --log-file=!overwrites_non_report --attribute-file=!overwrites_non_report",
    ),
    Habit(
        names="pulumi",
        flags="--profiling=!overwrites_non_output --event-log=!overwrites_source"
        " --tracing=!leads_elsewhere",
    ),
    Habit(
        names="pulumi preview",
        flags="--save-plan=!overwrites_non_report --import-file=!overwrites_source",
    ),
    Habit(names="pulumi stack export", flags="--file=!overwrites_source"),
    Habit(names="nix eval", flags="--write-to=!writes"),
    Habit(names="flutter analyze", flags="--write=!overwrites_non_report"),
    Habit(names="pyright", flags="--createstub=!writes --writebaseline!writes"),
    Habit(
        names="mypy",
        flags="--timing-stats=!overwrites_non_report --any-exprs-report=!overwrites_non_report",
    ),
    Habit(
        names="gradle, gradlew", flags="--write-locks!writes --write-verification-metadata=!writes"
    ),
    Habit(names="gradle, gradlew", flags="-M=!writes"),
    Habit(names="phpunit", flags="--migrate-configuration!writes --generate-configuration!writes"),
    Habit(names="qpdf", flags="--replace-input!writes"),
    Habit(names="just", flags="--fmt!writes"),
    Habit(names="go vet", words=True, flags="--fix!writes"),
    Habit(names="playwright test", flags="--update-source-method=!writes"),
    # What looks at something, and is told to run a program, or to put what it saw in a file.
    Habit(names="tmux", runs=r"#\("),
    Habit(names="jj", flags="--config-toml=!runs --tool=!picks_program"),
    Habit(names="svn", flags="--config-option=!runs"),
    Habit(names="bzr, brz", flags="--using=!picks_program"),
    Habit(
        names="rpm, rpmquery, rpmspec, rpmbuild",
        runs=r"%\(|%\{(?:lua|load|expand|uncompress)\b",
        flags="--pipe=!runs --macros=!runs -E= --eval=",
    ),
    Habit(
        names="apt-cache, apt-config, apt-mark", flags="-o=!runs --option=!runs -c=!leads_elsewhere"
    ),
    Habit(names="restic", runs=r"(?:rclone|sftp)\.(?:program|command|args)=", flags="-o="),
    Habit(names="borg", flags="--remote-path=!runs"),
    Habit(
        names="cloc",
        runs=r"\A[-+]{1,2}extract|\A[-+]{1,2}vcs=|\A\+",
        flags="--extract-with=!runs --vcs=!runs_filter --strip-comments=!writes"
        " --strip-code=!writes --out=!overwrites_source --report-file=!overwrites_source"
        " --counted=!overwrites_source --ignored=!overwrites_source --found=!overwrites_source"
        " --categorized=!overwrites_source --sql=!overwrites_source"
        " --diff-alignment=!overwrites_source --write-lang-def=!overwrites_source"
        " --write-lang-def-incl-dup=!overwrites_source",
    ),
    Habit(
        names="cppcheck",
        kind=CHECKER,
        runs=r"\A--clang=.*/",
        flags="--addon=!runs_filter --addon-python=!runs --output-file=!overwrites_source"
        " --plist-output=!overwrites_non_report --checkers-report=!overwrites_source",
    ),
    Habit(names="plantuml", words=True, flags="--graphvizdot=!picks_program"),
    Habit(names="lilypond", kind=RUNNER, flags="-e=!runs --evaluate=!runs --init=!loads_code"),
    Habit(names="lilypond-book", flags="-P=!runs --process=!runs -F=!runs --filter=!runs"),
    Habit(names="ncu, npm-check-updates", flags="--doctorTest=!runs --doctorInstall=!runs"),
    Habit(
        names="gitleaks",
        writes=r"(?:\A|[\s='\"])--(?:ou|ext-|textc)",
        flags="-r=!overwrites_source --report-path=!overwrites_source"
        " --diagnostics-dir=!overwrites_non_report",
    ),
    Habit(
        names="gcc, g++, cc, c++, clang, clang++, gfortran",
        writes=r"\A-W[alp],\S*(?:-MM?D,|-Map[=,]|-a[a-z]*=)\S*"
        r"\.(?:[ch](?:pp|c)?|[cm]?[jt]sx?|py|go|rs|sh|md|json|toml|ya?ml)\Z",
        flags="-MF=!overwrites_source -MJ=!overwrites_source -MT= -MQ= -MD -MMD -MM -MG -MP"
        " -aux-info=!overwrites_source",
    ),
    Habit(names="skaffold", flags="--file-output=!overwrites_source"),
    Habit(names="skaffold render", flags="-o=!overwrites_source"),
    Habit(
        names="checkov",
        kind=CHECKER,
        flags="-d= -f= -o= --output-file-path=!overwrites_non_report"
        " --create-config=!overwrites_source --external-checks-dir=!loads_code"
        " --external-checks-git=!loads_code",
    ),
    Habit(
        names="syft, grype",
        flags="-o=!overwrites_source --output=!overwrites_source --file=!overwrites_source",
    ),
    Habit(names="k6", flags="--console-output=!overwrites_source --log-output=!overwrites_source"),
    Habit(names="pip-audit", flags="-o=!overwrites_non_report --output=!overwrites_non_report"),
    Habit(
        names="safety",
        flags="--save-json=!overwrites_non_report --save-html=!overwrites_non_report",
    ),
    Habit(names="swiftlint", flags="--write-baseline=!overwrites_source"),
    Habit(
        names="brakeman",
        flags="-o=!overwrites_source --output=!overwrites_source --add-checks-path=!loads_code",
    ),
    Habit(
        names="detekt",
        flags="-r=!overwrites_source --report=!overwrites_source"
        " -b=!overwrites_source --baseline=!overwrites_source -p=!loads_code",
    ),
    Habit(
        names="ktlint",
        runs=r"\A--reporter=.*\bartifact=",
        flags="--reporter=!overwrites_source -R=!loads_code --ruleset=!loads_code",
    ),
    Habit(
        names="nix build, nix-build",
        flags="-o=!overwrites_non_report --out-link=!overwrites_non_report"
        " --add-root=!overwrites_non_report --output-lock-file=!writes",
    ),
    Habit(
        names="hugo",
        flags="--profile-cpu=!overwrites_source --profile-mem=!overwrites_source"
        " --profile-block=!overwrites_source --profile-mutex=!overwrites_source"
        " --trace=!overwrites_source",
    ),
)
