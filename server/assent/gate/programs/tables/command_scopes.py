"""The scopes of commands: flags that exceed a rule, and flags that only sound so."""

from typing import Final

from assent.gate.programs.command_scopes import CHECKER, INTERPRETER, RUNNER, CommandScope
from assent.gate.programs.escapes import Escape

__all__ = ["COMMAND_SCOPES"]

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

COMMAND_SCOPES: Final = (
    # Clusters and clouds.
    CommandScope(
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
    CommandScope(
        names="kubectl get, kubectl describe, kubectl logs, kubectl top, kubectl events,"
        " kubectl wait, oc get, oc describe",
        flags="-A --all-namespaces --raw=!shows_secrets --context=!reaches_production"
        " --cluster=!reaches_production",
        remote_flags="--raw",
    ),
    CommandScope(
        names="kubectl rollout status, kubectl rollout history, kubectl version, kubectl explain,"
        " kubectl config view, kubectl diff",
        flags="--context=!reaches_production --cluster=!reaches_production",
    ),
    CommandScope(
        names="kubectl get secret, kubectl get secrets, oc get secret, oc get secrets",
        flags="-o=!shows_secrets --output=!shows_secrets --template=!shows_secrets",
    ),
    CommandScope(names="kubectl delete", max_operands=2, flags="--all!widens_rights"),
    CommandScope(
        names="kubectl apply, oc apply", flags="--force?!deletes --force-conflicts?!widens_rights"
    ),
    CommandScope(
        names="kubectl kustomize, kustomize build", flags="--load-restrictor=!widens_rights"
    ),
    CommandScope(
        names="kubectl scale, kubectl rollout restart, oc scale", flags="--all!widens_rights"
    ),
    CommandScope(names="kubectl port-forward, kubectl proxy", flags="--address=!widens_rights"),
    CommandScope(names="kubectl auth", flags="--as= --as-group="),
    CommandScope(names="bazel, bazelisk", remote_flags="."),
    CommandScope(
        names="aws logs, aws ssm, aws secretsmanager, aws iam, aws cloudwatch",
        flags="--name= --names= --path= --log-group-name= --log-group-names= --secret-id= --prefix="
        " --log-group-name-prefix= --log-group-identifier= --log-stream-name= --path-prefix=",
        remote_flags=". --name --names --path --log-group-name --log-group-names --secret-id"
        " --prefix"
        " --log-group-name-prefix --log-group-identifier --log-stream-name --path-prefix",
    ),
    CommandScope(
        names="az", flags="--ids= --scope= --resource=", remote_flags="--ids --scope --resource"
    ),
    CommandScope(
        names="helm",
        flags="-n= -o= -f= -A!widens_rights -a -q -g -i -l= --output= --set= --values= --version="
        " --namespace= --repo=!leads_elsewhere --kube-context=!leads_elsewhere"
        " --kube-as-user=!widens_rights --kube-as-group=!widens_rights --kube-token=!widens_rights"
        " --kube-ca-file=!leads_elsewhere --kube-tls-server-name=!leads_elsewhere"
        " --kube-insecure-skip-tls-verify!leads_elsewhere",
    ),
    CommandScope(
        names="helm list, helm ls, helm status, helm get, helm history, helm template, helm diff",
        flags="-A --all-namespaces --kube-context=!reaches_production",
    ),
    CommandScope(
        names="k9s, stern, flux, istioctl, argo, velero, cilium, linkerd",
        flags="--context=!reaches_production --kube-context=!reaches_production -n= -l= -o= -A",
    ),
    CommandScope(
        names="aws, gcloud, az, gsutil",
        flags="--output= --query= --profile=!reaches_production --region="
        " --project=!reaches_production --format= --export --method= --resource= --delete"
        " --no-verify-ssl!leads_elsewhere --configuration=!leads_elsewhere --account=!widens_rights"
        " --flags-file=!leads_elsewhere --acl=!widens_rights --output-file=!writes -o= -g= -n=",
    ),
    CommandScope(names="aws s3 sync", flags="--delete!deletes"),
    CommandScope(
        names="terraform, tofu, packer, terragrunt",
        single_dash=True,
        flags="--out=!overwrites_non_output --var= --var-file= --target= --replace= --input="
        " --lock= --refresh= --parallelism= --backend= --backend-config=!works_elsewhere"
        " --plugin-dir=!runs --from-module=!leads_elsewhere --chdir=!works_elsewhere"
        " --state=!works_elsewhere --state-out=!writes --generate-config-out=!writes --write="
        " --json --no-color --upgrade --auto-approve --destroy --module= --filter= --raw"
        " --reconfigure --migrate-state --compact-warnings --detailed-exitcode --check --recursive",
    ),
    CommandScope(names="terraform fmt, tofu fmt", kind=CHECKER, single_dash=True),
    CommandScope(
        names="terraform apply, tofu apply",
        single_dash=True,
        max_operands=1,
        flags="--destroy!deletes",
    ),
    CommandScope(names="vault, consul, nomad", single_dash=True),
    CommandScope(
        names="ansible, ansible-playbook",
        max_operands=1,
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
    CommandScope(
        names="docker, podman, nerdctl",
        flags="-H=!leads_elsewhere --host=!leads_elsewhere --config=!leads_elsewhere"
        " --context=!reaches_production -c=!reaches_production -l= -D --url=!leads_elsewhere",
    ),
    CommandScope(
        names="docker run, docker create, docker container run, docker container create,"
        " podman run, podman create, nerdctl run, docker compose run, docker-compose run",
        flags=_CONTAINER,
    ),
    CommandScope(
        names="docker exec, docker container exec, podman exec, nerdctl exec, docker compose exec,"
        " docker-compose exec, podman container exec",
        flags="-e=!shows_secrets -u= -w= -i -t -d -T -l --env=!shows_secrets --user= --workdir="
        " --index= --privileged!widens_rights",
    ),
    CommandScope(
        names="docker build, docker buildx build, docker image build, podman build",
        flags="-t= -f= -q -o=!writes --output=!writes --allow=!widens_rights"
        " --network=!widens_rights --target= --build-context=!works_elsewhere"
        " --build-arg=!shows_secrets --tag= --file= --platform= --progress= --cache-from= --label="
        " --cache-to=!writes --iidfile=!writes --metadata-file=!writes --secret="
        " --ssh=!widens_rights --add-host=!leads_elsewhere --push!sends --load -v=!widens_rights"
        " --volume=!widens_rights --no-cache",
    ),
    CommandScope(
        names="docker compose, docker-compose, podman compose",
        flags="-f= -p= -d -e= -u= -w= -T -a -q -n= -c=!reaches_production"
        " --context=!reaches_production --file= --env-file= --profile= --project-name="
        " --project-directory=!works_elsewhere --tail= --follow --volumes -v --build --scale=",
    ),
    CommandScope(names="docker compose build, docker-compose build", flags="--push!sends"),
    CommandScope(
        names="docker compose up, docker-compose up, podman compose up",
        flags="-V!deletes --renew-anon-volumes!deletes",
    ),
    CommandScope(
        names="docker compose down, docker-compose down, docker compose rm",
        flags="-v!deletes --volumes!deletes --rmi=!deletes",
    ),
    CommandScope(
        names="docker system prune, docker volume prune, docker image prune, podman system prune,"
        " podman volume prune",
        flags="--volumes!deletes -a!deletes --all!deletes",
    ),
    CommandScope(
        names="docker images, docker ps, docker inspect, docker logs, docker pull, docker push",
        flags="-a -q -f --filter= --format= -n= -l -s --size --since= --tail= -t",
    ),
    # What reaches hosts.
    CommandScope(
        names="curl",
        max_operands=1,
        flags="--next!leads_elsewhere --url=!leads_elsewhere --proto-redir=!leads_elsewhere",
    ),
    CommandScope(names="wget, wget2", max_operands=1),
    CommandScope(
        names="ping, dig, host, nslookup, whois, traceroute, nmap, telnet, nc, ncat", max_operands=1
    ),
    CommandScope(names="http, https, xh, httpie", flags="--json --form --headers --body --verify="),
    CommandScope(names="scp, rsync", max_operands=2),
    CommandScope(names="rsync", flags="--host=!leads_elsewhere"),
    CommandScope(
        names="psql, pg_dump, pg_restore, createdb, dropdb, pg_dumpall",
        max_operands=1,
        flags="-h=!leads_elsewhere --host=!leads_elsewhere -d= -U= -p= --port= --username="
        " --dbname= -f=!writes --file=!writes",
    ),
    CommandScope(names="psql", max_operands=1, flags="-f<!runs --file<!runs"),
    CommandScope(
        names="mysql, mariadb, mysqldump, mycli",
        max_operands=1,
        flags="-h=!leads_elsewhere --host=!leads_elsewhere -e= --execute= -u= -p? -P= -D= -S= -N -B"
        " -s -t -v -A --user= --password? --port= --database= --protocol= --default-auth=!runs"
        " --tee=!writes --defaults-file=!leads_elsewhere --defaults-extra-file=!leads_elsewhere"
        " --defaults-group-suffix= --dns-srv-name=!leads_elsewhere --login-path=!leads_elsewhere"
        " --local-infile?!widens_rights --load-data-local-dir=!widens_rights --silent --batch"
        " --table",
    ),
    CommandScope(
        names="redis-cli, valkey-cli",
        flags="-h=!leads_elsewhere -u=!leads_elsewhere --eval=!runs --rdb=!writes"
        " --functions-rdb=!writes -p= -a= -n= -r= -i= --raw --csv --scan --pattern= --bigkeys",
    ),
    CommandScope(names="duckdb", flags="-c= -json -csv -box -readonly -line -markdown"),
    CommandScope(
        names="sqlite3",
        flags="-batch -cmd= -csv -json -header -column -readonly -line -interactive!writes",
        write_pattern=r"\A--?A",
    ),
    CommandScope(
        names="gh, glab",
        flags="--hostname=!leads_elsewhere --repo=!leads_elsewhere -R=!leads_elsewhere"
        " --admin!widens_rights --log --body-file= --web -q=!shows_input --jq=!shows_input",
    ),
    CommandScope(
        names="gh pr create, gh pr comment, gh pr edit, gh pr merge, gh pr review, gh pr close,"
        " gh issue create, gh issue comment, gh issue edit, gh issue close, gh release create,"
        " gh release upload, glab mr create, glab mr note, glab issue create",
        flags="-R=!sends --repo=!sends",
    ),
    CommandScope(
        names="gh api, glab api",
        remote_flags=".",
        flags="--host=!leads_elsewhere -X=!leads_elsewhere --method=!leads_elsewhere -f=!sends"
        " -F=!sends --field=!sends --raw-field=!sends --input=!sends -H= -t= -p= --header="
        " --template= --cache= --paginate --slurp -i --include --silent --verbose",
    ),
    CommandScope(
        names="systemctl, journalctl, loginctl, hostnamectl, timedatectl",
        flags="-H=!leads_elsewhere --host=!leads_elsewhere -M=!leads_elsewhere"
        " --machine=!leads_elsewhere -u= -n= -p= -o= -t= -S= -U= -g= -l -f -b? -k -e -x -r -a"
        " --output= --unit= --since= --until= --vacuum-time=!deletes --vacuum-size=!deletes"
        " --vacuum-files=!deletes --rotate!writes",
    ),
    CommandScope(
        names="rm, rmdir, systemctl start, systemctl stop, systemctl restart", max_operands=1
    ),
    CommandScope(
        names="protoc",
        kind=RUNNER,
        # Where a project keeps the programs that it brought in, its own scripts do not lie.
        run_pattern=r"\A(?:--plugin=)?(?!\S*(?<![\w-])(?:node_modules|bin|vendor|build)/)"
        r"(?:protoc-gen-[\w-]+=\S*/|\S*/protoc-gen-[\w.-]+\Z)",
        flags="--plugin=",
    ),
    CommandScope(
        names="git push",
        flags="--mirror!widens_rights --all!widens_rights --branches!widens_rights",
        send_pattern=r"\A[^-\s]*\*|\A\+?:\Z",
    ),
    CommandScope(
        names="git push, git fetch, git pull, git send-pack, git http-push, git http-fetch,"
        " git subtree",
        max_operands=2,
        flags="--host=!leads_elsewhere",
    ),
    CommandScope(names="git add, git stage", flags="-f!takes_ignored --force!takes_ignored"),
    CommandScope(
        names="git stash, git stash push, git stash save",
        flags="-a!takes_ignored --all!takes_ignored",
    ),
    # Each of these takes the path of a script for the name of a tool.
    CommandScope(
        names="git difftool, git mergetool", flags="-t=!works_elsewhere --tool=!works_elsewhere"
    ),
    CommandScope(
        names="git instaweb", flags="-d=!runs --httpd=!runs -b=!runs -m=!runs --browser=!runs"
    ),
    # What brings in packages.
    CommandScope(
        names="pip install, pip3 install, uv pip install, pip download, pip wheel, pip3 download",
        max_operands=1,
        flags="-i=!leads_elsewhere -f=!leads_elsewhere --trusted-host=!leads_elsewhere"
        " --proxy=!leads_elsewhere -r= -c= -e= -t> -U -q -v --config-settings=!runs"
        " --global-option=!runs --no-index --no-build-isolation --pre --user --requirement="
        " --editable= --constraint= --upgrade --break-system-packages!widens_rights",
    ),
    CommandScope(names="pip, pip3", flags="-f= --outdated --user --settings="),
    CommandScope(names="npm audit fix, pnpm audit --fix, yarn audit fix", escape=Escape.LOADS_CODE),
    CommandScope(
        names="npm, pnpm",
        kind=RUNNER,
        flags="--git=!runs --viewer=!runs --editor=!runs --shell=!runs --onload-script=!runs"
        " --init-module=!runs --browser=!runs --registry=!leads_elsewhere --script-shell=!runs"
        " --node-options=!runs --userconfig<!runs --globalconfig<!runs --reporter= --filter= -F= -r"
        " --prefix=!works_elsewhere -C=!works_elsewhere --dir=!works_elsewhere"
        " --proxy=!leads_elsewhere --https-proxy=!leads_elsewhere --fix",
    ),
    CommandScope(names="npm view, npm outdated, npm info, npm search", flags="-g --json"),
    CommandScope(
        names="npm install, npm i, npm add, npm ci, pnpm install, pnpm add, yarn add, bun add,"
        " bun install, gem install, cargo add, cargo install, brew install, apt install,"
        " apt-get install,"
        " poetry add, uv add, pipenv install, composer require, go install, dotnet add",
        max_operands=1,
    ),
    CommandScope(
        names="npx, pnpx, bunx, npm exec, npm x, pnpm exec, pnpm dlx",
        flags="-c=!runs --call=!runs -p= --package= -y -q",
    ),
    CommandScope(
        names="yarn, bun", kind=RUNNER, flags="--cwd=!works_elsewhere --use-yarnrc=!leads_elsewhere"
    ),
    CommandScope(
        names="poetry, pipenv, pdm, hatch",
        flags="-C=!works_elsewhere --source=!leads_elsewhere --directory=!works_elsewhere",
    ),
    CommandScope(
        names="uv",
        flags="--index=!leads_elsewhere -p=!picks_program --python=!picks_program -q -v"
        " --index-strategy= --directory=!works_elsewhere --project=!works_elsewhere -w=!runs"
        " --with=!runs --with-editable=!runs --with-requirements=!runs",
    ),
    CommandScope(
        names="gem, bundle",
        flags="-s=!leads_elsewhere --source=!leads_elsewhere -j= --gemfile=!works_elsewhere --path="
        " --without= --with=",
    ),
    CommandScope(
        names="composer",
        flags="-d=!works_elsewhere --working-dir=!works_elsewhere"
        " --repository=!leads_elsewhere -q -n -v",
    ),
    CommandScope(
        names="apt, apt-get",
        flags="-o=!runs --option=!runs -c=!leads_elsewhere -t= -y -q -f -s -u -V",
    ),
    CommandScope(names="conda, mamba", flags="-n= -y -q -p= --name= --file= --export"),
    # What runs a project's own code.
    CommandScope(
        names="make, gmake",
        kind=RUNNER,
        fills_shell_texts=True,
        max_operands=1,
        flags="-E=!runs --eval=!runs -f=!works_elsewhere --file=!works_elsewhere"
        " --makefile=!works_elsewhere -C=!works_elsewhere --directory=!works_elsewhere"
        " -I=!works_elsewhere -j? -l? -o= -O? -W= -k -n -s -B -b -d -e -i -L -m -p -q -r -R -S -t"
        " -v -w --output-sync? --debug? --shuffle?",
    ),
    CommandScope(
        names="just",
        kind=RUNNER,
        fills_shell_texts=True,
        flags="-c=!runs --command=!runs --chooser=!runs --shell=!runs --shell-command=!runs"
        " -f=!works_elsewhere --justfile=!works_elsewhere -d=!works_elsewhere"
        " --working-directory=!works_elsewhere",
    ),
    CommandScope(
        names="pandoc",
        flags="-F=!runs --filter=!runs -L=!runs -t=!runs_filter -f=!runs_filter -r=!runs_filter"
        " -w=!runs_filter --to=!runs_filter --from=!runs_filter --read=!runs_filter"
        " --write=!runs_filter -o= --pdf-engine=!runs --lua-filter=!runs --pdf-engine-opt=!runs"
        " -d=!leads_elsewhere --defaults=!leads_elsewhere",
    ),
    CommandScope(
        names="latexmk, pdflatex, xelatex, lualatex, latex, tex, pdftex",
        kind=RUNNER,
        single_dash=True,
        flags="--e=!runs --r=!runs --usepretex=!runs --pretex=!runs --pdflatex=!runs --latex=!runs"
        " --xelatex=!runs --lualatex=!runs --shell-escape!runs --enable-write18!runs"
        " --cnf-line=!runs --pdf --c --C --silent --interaction="
        " --output-directory=!works_elsewhere --outdir=!works_elsewhere --halt-on-error",
    ),
    CommandScope(
        names="tcpdump, tshark, dumpcap", flags="-z=!runs -w=!writes -r= -i= -c= -n -v -A -X -e"
    ),
    CommandScope(names="podman, docker", flags="--root= --runtime=!runs --module=!leads_elsewhere"),
    CommandScope(
        names="just, task, rake, nx, turbo, ant, tox, nox, pre-commit, dune, meson", kind=RUNNER
    ),
    CommandScope(names="task", fills_shell_texts=True),
    CommandScope(
        names="tox",
        kind=RUNNER,
        flags="-c=!works_elsewhere -e= -f= -r -p= -x=!leads_elsewhere --override=!leads_elsewhere",
    ),
    CommandScope(names="nox", kind=RUNNER, flags="-f=!works_elsewhere -s= -r -R -k= -t= -l -e="),
    CommandScope(
        names="pre-commit", kind=RUNNER, flags="--hook-stage= -c=!works_elsewhere -a -v --files="
    ),
    CommandScope(
        names="rake, ant",
        kind=RUNNER,
        max_operands=1,
        flags="-e=!runs -E=!runs -p=!runs -f=!works_elsewhere -R=!works_elsewhere -r=!loads_code"
        " -I=!works_elsewhere",
    ),
    CommandScope(
        names="mvn, mvnw",
        kind=RUNNER,
        max_operands=1,
        flags="-pl= -am -amd -q -B -o -U -e -X -V -N -ntp -fae -ff -fn -nsu -T= -P= -D= -rf="
        " -l=!overwrites_non_report -f=!works_elsewhere --file=!works_elsewhere -s=!leads_elsewhere"
        " --settings=!leads_elsewhere -gs=!leads_elsewhere --global-settings=!leads_elsewhere"
        " -t=!leads_elsewhere --toolchains=!leads_elsewhere --projects= --threads="
        " --log-file=!overwrites_non_report",
    ),
    CommandScope(
        names="gradle, gradlew",
        kind=RUNNER,
        max_operands=1,
        flags="-I=!runs --init-script=!runs --include-build=!loads_code -p=!works_elsewhere"
        " --project-dir=!works_elsewhere -b=!works_elsewhere --build-file=!works_elsewhere"
        " -c=!works_elsewhere --settings-file=!works_elsewhere -g=!works_elsewhere"
        " --gradle-user-home=!works_elsewhere -x= -P= -D= -q -i -d -s -S -m -t -a --tests="
        " --exclude-task= --console= --max-workers= --warning-mode= --project-cache-dir="
        " --configuration= --scan!sends",
    ),
    CommandScope(
        names="cargo",
        kind=RUNNER,
        flags="-p= -j= -q -v -r -F= -e= -i= -Z=!runs --config=!leads_elsewhere"
        " --index=!leads_elsewhere --registry=!leads_elsewhere --git=!leads_elsewhere"
        " --manifest-path=!works_elsewhere --target-dir= --bin= --test= --bench= --example="
        " --features= --target= --package= --exclude= --profile= --message-format= --color= --jobs="
        " --path=!works_elsewhere --edges= --invert=",
    ),
    CommandScope(names="cargo clippy", kind=RUNNER, flags="--fix!writes"),
    CommandScope(
        names="go",
        kind=RUNNER,
        single_dash=True,
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
    CommandScope(names="go build", kind=RUNNER, single_dash=True, flags="--o=!overwrites_source"),
    CommandScope(
        names="go test", kind=RUNNER, single_dash=True, flags="--o=!overwrites_non_output"
    ),
    # What a compiler or a linker is handed stands in one word.
    CommandScope(
        names="go build, go test, go install, go run, go vet",
        kind=RUNNER,
        single_dash=True,
        run_pattern=r"-ext(?:ld|ar)[\s='\"]|-extldflags.*(?:-B|-fuse-ld|-specs|-wrapper|-plugin|@)",
        write_pattern=r"(?:\A-(?:o|\w*profile|asmhdr|symabis|linkobj)\s|.[\s='\"]-"
        r"(?:o|\w*profile|asmhdr|symabis|linkobj)[\s=])",
    ),
    CommandScope(
        names="go tool cover",
        kind=RUNNER,
        single_dash=True,
        flags="--o=!overwrites_non_report --func= --html=",
    ),
    CommandScope(
        names="trivy",
        flags="--db-repository=!leads_elsewhere --java-db-repository=!leads_elsewhere"
        " --checks-bundle-repository=!leads_elsewhere",
    ),
    CommandScope(names="rustfmt, cargo fmt", flags="--print-config!writes"),
    CommandScope(
        names="jsonnet",
        flags="-o=!overwrites_non_report --output-file=!overwrites_non_report -m=!writes"
        " --multi=!writes -J= -V= -A=",
    ),
    CommandScope(names="go doc", kind=RUNNER, single_dash=True, flags="--http!runs"),
    CommandScope(names="go env", kind=RUNNER, single_dash=True, flags="--w!writes --u!writes"),
    CommandScope(
        names="dotnet",
        kind=RUNNER,
        flags="-c= -o= -f= -r= -v= -p= -l= -n -s=!works_elsewhere --settings=!works_elsewhere"
        " --source=!leads_elsewhere --add-source=!leads_elsewhere --configfile=!works_elsewhere"
        " --test-adapter-path=!loads_code --configuration= --framework= --project= --filter="
        " --logger= --collect= --output=",
    ),
    CommandScope(
        names="cmake",
        kind=RUNNER,
        flags="-S=!works_elsewhere -B= -G= -D= -U= -A= -T= -j? -t= -N -L -C=!loads_code -P=!runs"
        " -E!runs --build= --system-information!runs --install= --preset= --target= --config="
        " --parallel? --toolchain=!loads_code --log-level=",
    ),
    CommandScope(
        names="ctest",
        kind=RUNNER,
        flags="-R= -E= -L= -LE= -j? -V -VV -N -C= -S=!runs -SP=!runs -D= -O=!overwrites_non_report"
        " -Q -F -I= --test-dir=!works_elsewhere --build-and-test!runs --build-makeprogram=!runs"
        " --test-command=!runs",
    ),
    CommandScope(
        names="ninja",
        kind=RUNNER,
        flags="-C=!works_elsewhere -f=!works_elsewhere -j= -k= -l= -t= -d= -w= -v -n",
    ),
    CommandScope(
        names="gcc, g++, cc, c++, clang, clang++, gfortran",
        kind=RUNNER,
        flags="-B=!runs -wrapper=!runs -fplugin=!runs -fplugin-arg= -specs=!runs -specs!runs -o="
        " -D= -I= -L= -W= -f= -m= -O= -l= -s= -U= -x= -M= -E -S -c -g= -p= -n= -Xclang=!runs"
        " -load=!runs -fuse-ld=!runs -fpass-plugin=!runs -fmodule-mapper=!runs --plugin=!runs -t="
        " -d= -i= -r= -T= -u= -v -w -z= -q=",
    ),
    CommandScope(
        names="rustc", kind=RUNNER, flags="-C= -L= -l= -o= -O -g -W= -A= -D= -F= -Z=!runs"
    ),
    CommandScope(
        names="javac",
        kind=RUNNER,
        single_dash=True,
        flags="--processorpath=!loads_code --processor-path=!loads_code --processor=!loads_code"
        " --module-path= --Xplugin=!runs --d=",
    ),
    CommandScope(
        names="bazel, bazelisk",
        kind=RUNNER,
        flags="--run_under=!runs --override_repository=!loads_code --bazelrc=!works_elsewhere"
        " --config= -c= -k -j=",
    ),
    CommandScope(
        names="swift, mix, rails, flutter, dart, dbt, sphinx-build, flask, django-admin,"
        " dvc, alembic, stack, cabal, zig, sbt, lein",
        kind=RUNNER,
        flags=_SERVED,
    ),
    CommandScope(
        names="hugo",
        kind=RUNNER,
        flags=f"{_SERVED} -d= -s=!works_elsewhere -c= -b= -D -E -F --cleanDestinationDir!deletes",
    ),
    CommandScope(
        names="jupyter", kind=RUNNER, flags="--execute --to= --config=!works_elsewhere --output="
    ),
    CommandScope(names="swift", kind=RUNNER, flags="-c= --configuration= --toolchain=!runs"),
    CommandScope(
        names="uvicorn, gunicorn, hypercorn, daphne, http-server, serve, puma",
        kind=RUNNER,
        flags=_SERVED,
    ),
    CommandScope(
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
    CommandScope(
        names="jest",
        kind=RUNNER,
        flags="--globalSetup=!runs --globalTeardown=!runs --setupFiles=!loads_code"
        " --setupFilesAfterEnv=!loads_code --resolver=!runs --runner=!runs --testRunner=!runs"
        " --testSequencer=!runs --rootDir=!works_elsewhere -c=!works_elsewhere --transform=!runs"
        " --globals= -t= -u -i -w= -o --ci --silent",
    ),
    CommandScope(
        names="vitest, playwright, mocha, ava, cypress, karma, webpack, vite, rollup, esbuild,"
        " next, nuxt, ng, storybook, tsup, parcel, tsx, ts-node, react-scripts, prisma, wrangler,"
        " astro, expo, c8, nyc, tap, wdio, cucumber-js, lerna, gulp, grunt",
        kind=RUNNER,
        flags=f"{_SERVED} -c=!works_elsewhere -r=!loads_code --require=!loads_code"
        " --import=!loads_code --root=!works_elsewhere --dir=!works_elsewhere --browser= --spec="
        " --reporter= -t= -g= -j= -u -x --url= --base-url= --outDir=!deletes --emptyOutDir",
    ),
    CommandScope(names="cypress", kind=RUNNER, flags="--config= -b= -o=!overwrites_non_report"),
    CommandScope(
        names="mocha",
        kind=RUNNER,
        flags="-O=!overwrites_non_report --inspect?!listens --inspect-brk?!listens"
        " --inspect-port=!listens",
    ),
    CommandScope(
        names="c8, nyc",
        kind=RUNNER,
        flags="-o=!overwrites_non_report --temp-dir=!overwrites_non_report",
    ),
    CommandScope(names="playwright test", kind=RUNNER, flags="--output=!overwrites_non_report"),
    CommandScope(
        names="rspec, phpunit, codecept, pest, minitest, cucumber",
        kind=RUNNER,
        flags="-c=!works_elsewhere --configuration=!works_elsewhere -r=!loads_code"
        " --require=!loads_code --bootstrap=!loads_code -I=!loads_code -f= -t= -e= -P= -d="
        " --filter= --tag= --format= -o=!overwrites_non_report --out=!overwrites_non_report",
    ),
    CommandScope(
        names="gdb, lldb",
        single_dash=True,
        flags="--ex=!runs --iex=!runs --x=!runs --ix=!runs --eval-command=!runs --command=!runs"
        " --o=!runs --init-eval-command=!runs --init-command=!runs --O=!runs --s=!runs --S=!runs"
        " --k=!runs --one-line=!runs --source=!runs",
    ),
    CommandScope(
        names="nix develop, nix shell, nix run, nix build, nix eval",
        flags="-c=!runs --command=!runs --expr=!runs --option=!leads_elsewhere",
    ),
    CommandScope(names="fzf", flags="--preview=!runs --bind=!runs"),
    CommandScope(names="rubocop, bun test", flags="-r=!runs"),
    CommandScope(
        names="coverage",
        kind=CHECKER,
        flags="-m -i --rcfile=!works_elsewhere --source= --export -o=!overwrites_non_report"
        " -d=!overwrites_non_report",
    ),
    CommandScope(
        names="bandit, semgrep, trivy, pylint, golangci-lint, deno test, behave, robot, strace,"
        " ltrace, perf, py-spy, hyperfine, cargo llvm-cov",
        flags="-o=!overwrites_non_report --output=!overwrites_non_report"
        " --coverage=!overwrites_non_report  --output-path=!overwrites_non_report",
    ),
    CommandScope(names="robot", flags="-d=!overwrites_non_report"),
    CommandScope(
        names="coverage run", kind=INTERPRETER, flags="--data-file=!overwrites_non_report"
    ),
    # What looks through a project.
    CommandScope(
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
    CommandScope(
        names="prettier",
        kind=CHECKER,
        flags="--write!writes -w!writes -c -l -u --check --list-different --plugin=!runs"
        " --plugin-search-dir=!runs --config=!works_elsewhere --parser= --log-level="
        " --ignore-path=",
    ),
    CommandScope(
        names="ruff, black, isort, autopep8, yapf, autoflake, pyupgrade, rubocop, golangci-lint,"
        " markdownlint, markdownlint-cli2, sqlfluff, buf, clang-tidy, clang-format, shfmt, gofmt,"
        " goimports, swiftlint, ktlint, detekt, tflint, hadolint, shellcheck, yamllint, vale,"
        " actionlint, checkov, semgrep, bandit, vulture, pydocstyle, codespell, cspell, djlint,"
        " ansible-lint, kubeconform, conftest, phpstan, psalm, phpcs, credo, dprint, taplo",
        kind=CHECKER,
        flags="--fix!writes -w!writes -i!writes -a!writes -A!writes --output-format="
        " -c=!works_elsewhere",
    ),
    CommandScope(
        names="ruff",
        kind=CHECKER,
        flags="-o=!overwrites_non_report --output-file=!overwrites_non_report -q -e -n -s -w -i"
        " --unsafe-fixes --config=!works_elsewhere --isolated",
    ),
    CommandScope(
        names="black, isort, yapf", kind=CHECKER, flags="-c -a= -w= -l= -q -v -i -t= -C -S -e="
    ),
    CommandScope(
        names="shellcheck, hadolint, bandit",
        kind=CHECKER,
        flags="-a -x -e= -f= -s= -S= -i= -P= -r -c= -w= -o=!overwrites_non_report -W=",
    ),
    CommandScope(names="tsc, vue-tsc", kind=CHECKER, flags="--init --pretty"),
    CommandScope(
        names="mypy, pyright, pytype, pyre, flake8, pylint, pylama, tsc, vue-tsc, svelte-check",
        kind=CHECKER,
        flags="--install-types!runs --python-executable=!runs --config-file=!works_elsewhere -p="
        " -m= -c= -P --project= --load-plugins=!runs --init-hook=!runs --rcfile=!works_elsewhere -b"
        " -w --outDir=!works_elsewhere --pythonpath=!runs --outputjson --output-format=",
    ),
    CommandScope(
        names="pylint",
        kind=CHECKER,
        flags="-f=!runs_filter --output-format=!runs_filter --unsafe-load-any-extension=!runs",
    ),
    # What takes files, and fetches them where it is given addresses.
    CommandScope(
        names="pandoc, magick, convert, identify, mogrify, kustomize build, helm template,"
        " helm lint, helm install, helm upgrade, xmllint, xmlstarlet, xsltproc, ffprobe, gdalinfo,"
        " kubectl apply, kubectl diff",
        flags="--host=!leads_elsewhere",
    ),
    # What runs whatever it is given.
    CommandScope(
        names="node, nodejs, deno run, python, python2, python3, ruby, perl, php, lua, bash, sh,"
        " zsh,"
        " Rscript, julia, java, kotlin, scala, groovy, elixir, pypy, pypy3, tclsh, dash, ksh",
        kind=INTERPRETER,
        flags="-r=!runs --require=!runs --import=!runs --loader=!runs --experimental-loader=!runs"
        " --env-file= --test --check --watch",
    ),
    CommandScope(
        names="perl, ruby",
        kind=INTERPRETER,
        flags="-e=!runs -E=!runs -M=!loads_code -m=!loads_code -I=!loads_code -r=!loads_code -n -p"
        " -c -w -W -l -a -s -S -t -T -u -U -v -V -x -0 -i? -F=",
    ),
    CommandScope(
        names="ffmpeg, ffplay",
        flags="--host=!leads_elsewhere -i= -f= -c= -b= -r= -t= -s= -y -n -an -vn",
    ),
    CommandScope(
        names="cargo run, go run, dotnet run, swift run, mix run, php artisan, rails runner,"
        " bun run, docker compose exec",
        kind=RUNNER,
    ),
    CommandScope(
        names="deno",
        kind=RUNNER,
        flags="-A!widens_rights --allow-all!widens_rights --allow-run?!widens_rights"
        " --allow-ffi?!widens_rights --allow-read? --allow-net? --allow-write?!widens_rights"
        " --allow-import?!widens_rights --allow-sys?!widens_rights --allow-env? -c=!works_elsewhere"
        " --import-map=!works_elsewhere --lock=!writes",
    ),
    CommandScope(
        names="gpg, gpg2",
        flags="--card-status!runs --card-edit!runs --edit-card!runs --change-pin!runs -s!runs"
        " --sign!runs --photo-viewer=!runs --exec-path=!runs -b!runs --detach-sign!runs"
        " --clear-sign!runs --clearsign!runs -d!runs --decrypt!runs --homedir=!works_elsewhere"
        " --options=!runs",
    ),
    CommandScope(names="ssh", flags="-l=!widens_rights -K!widens_rights -S=!leads_elsewhere"),
    CommandScope(names="open, xdg-open", max_operands=1),
    # What runs what its words say, in ways of its own.
    CommandScope(names="perf", flags="--pre=!runs --post=!runs --objdump=!runs --addr2line=!runs"),
    CommandScope(
        names="rclone",
        flags="--sftp-ssh=!runs --password-command=!runs --metadata-mapper=!runs"
        " --config=!leads_elsewhere",
    ),
    CommandScope(names="cdk", flags="-a=!runs --app=!runs"),
    CommandScope(names="nodemon", kind=RUNNER, flags="-x=!runs --exec=!runs"),
    CommandScope(names="feh", flags="-A=!runs --action=!runs --info=!runs"),
    CommandScope(
        names="helmfile", flags="-b=!runs --helm-binary=!runs -k=!runs --kustomize-binary=!runs"
    ),
    CommandScope(
        names="ssh-keygen", flags="-D=!runs -w=!runs -f= -t= -b= -C= -N= -l -y -E= -R= -F="
    ),
    CommandScope(names="ssh-add", flags="-s=!runs -S=!runs -l -L -d -D -t="),
    CommandScope(
        names="exiftool",
        single_dash=True,
        flags="--if=!runs --config=!runs --w=!writes --o=!writes",
    ),
    CommandScope(
        names="mlr",
        flags="--prepipe=!runs --prepipex=!runs --prepipe-gunzip --load=!runs --mload=!runs"
        " -s=!runs",
    ),
    CommandScope(
        names="gs, ps2pdf",
        flags="-dNOSAFER!widens_rights -sDEVICE= -sOutputFile=!writes -I=!loads_code",
    ),
    CommandScope(
        names="groff, troff, pdfroff",
        flags="-U!widens_rights -M=!loads_code -F=!loads_code -m= -T= -t -e -p",
    ),
    CommandScope(
        names="meson test", kind=RUNNER, flags="--wrap=!runs --wrapper=!runs --gdb-path=!runs"
    ),
    # Commands that run what they are told, of programs that have others besides.
    CommandScope(
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
        escape=Escape.RUNS,
    ),
    # What brings in code that later runs, or takes it from elsewhere.
    CommandScope(
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
        escape=Escape.LOADS_CODE,
    ),
    # What says where later commands go, or what later ones do.
    CommandScope(
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
        escape=Escape.LEADS_ELSEWHERE,
    ),
    # What loses or rewrites what is there.
    CommandScope(
        names="python manage.py flush, python manage.py reset_db, manage.py flush, manage.py"
        " reset_db, php artisan db:wipe, php artisan migrate:fresh, php artisan migrate:reset,"
        " php artisan migrate:refresh, sequelize-cli db:drop, sequelize-cli"
        " db:migrate:undo:all, prisma migrate reset, rails db:drop, rails db:reset, rails"
        " destroy, dotnet ef database drop, airflow db reset, typeorm schema:drop",
        escape=Escape.DELETES,
    ),
    # What runs code that its flags hold, or a file of it, beside what it is there for.
    CommandScope(
        names="ts-node, tsx, vite-node, babel-node",
        flags="-e=!runs --eval=!runs -p=!runs --print=!runs -pe=!runs -C=!runs --compiler=!runs",
    ),
    CommandScope(
        names="node, nodejs",
        kind=INTERPRETER,
        flags="-e=!runs --eval=!runs -p=!runs --print=!runs -pe=!runs -i!runs --interactive!runs"
        " --test-global-setup=!loads_code --inspect?!listens --inspect-brk?!listens"
        " --inspect-port=!listens --inspect-wait?!listens",
    ),
    CommandScope(
        names="yarn node", flags="-e=!runs --eval=!runs -p=!runs --print=!runs -r=!loads_code"
    ),
    CommandScope(names="bun", kind=RUNNER, flags="-e=!runs --eval=!runs -p=!runs --print=!runs"),
    CommandScope(
        names="mix run",
        kind=RUNNER,
        flags="-e=!runs --eval=!runs -r=!loads_code --require=!loads_code",
    ),
    CommandScope(
        names="mix test", kind=RUNNER, flags="--formatter= --require=!loads_code -r=!loads_code"
    ),
    CommandScope(
        names="iex, ghci",
        flags="-e=!runs --eval=!runs --dot-iex=!loads_code -ghci-script=!loads_code",
    ),
    CommandScope(
        names="ghci, ghc", single_dash=True, flags="--e=!runs --fplugin=!runs --pgmF=!runs --F!runs"
    ),
    CommandScope(
        names="cabal",
        kind=RUNNER,
        flags="-w=!runs --with-compiler=!runs --with-ghc=!runs --with-ghc-pkg=!runs"
        " --with-hc-pkg=!runs --ghc-options= --repl-options=!runs --test-wrapper=!runs"
        " --project-file=!works_elsewhere --config-file=!leads_elsewhere",
    ),
    CommandScope(
        names="stack",
        kind=RUNNER,
        flags="--exec=!runs --with-gcc=!runs --with-hpack=!runs --stack-yaml=!works_elsewhere"
        " --stack-root=!works_elsewhere --docker!runs --setup",
    ),
    CommandScope(
        names="rails",
        kind=RUNNER,
        flags="-r=!loads_code -c=!works_elsewhere --config=!works_elsewhere -m=!runs",
    ),
    CommandScope(names="lein do", escape=Escape.RUNS),
    CommandScope(
        names="cargo watch",
        flags="-x= --exec= -s=!runs --shell=!runs -w= -d= -i= -c -q -C=!works_elsewhere",
    ),
    CommandScope(names="cargo flamegraph", flags="-c=!runs --cmd=!runs -o=!overwrites_non_output"),
    CommandScope(names="cargo build", flags="--out-dir=!deletes --artifact-dir=!deletes"),
    CommandScope(names="mise exec, mise x", flags="-c=!runs --command=!runs"),
    CommandScope(names="doppler run, infisical run", flags="--command=!runs"),
    CommandScope(names="vagrant ssh, fly ssh", flags="-c=!runs --command=!runs -C=!runs"),
    CommandScope(
        names="pixi, volta, fnm, pyenv, rbenv, devbox, lerna, opam, mise",
        kind=RUNNER,
        flags="--manifest-path=!works_elsewhere --npm-client=!runs",
    ),
    CommandScope(
        names="bazel, bazelisk",
        kind=RUNNER,
        flags="--remote_cache=!leads_elsewhere --remote_executor=!leads_elsewhere"
        " --bes_backend=!leads_elsewhere --registry=!leads_elsewhere --credential_helper=!runs"
        " --python_path=!runs --host_jvm_args=!runs --server_javabase=!runs"
        " --shell_executable=!runs --workspace_status_command=!runs --override_module=!loads_code"
        " --output_user_root=!works_elsewhere --output_base=!works_elsewhere"
        " --symlink_prefix=!works_elsewhere --distdir=!works_elsewhere --disk_cache=",
    ),
    CommandScope(
        names="ant",
        kind=RUNNER,
        single_dash=True,
        flags="--main=!runs --lib=!loads_code --logger=!runs --listener=!runs --inputhandler=!runs",
    ),
    CommandScope(
        names="ctest",
        kind=RUNNER,
        flags="--output-log=!overwrites_non_report --output-junit=!overwrites_non_report",
    ),
    CommandScope(
        names="cmake",
        kind=RUNNER,
        flags="--trace-redirect=!overwrites_non_report --graphviz=!overwrites_non_report",
    ),
    # Behind `-E` these words are what it does itself; others run what follows.
    CommandScope(
        names="cmake cat, cmake echo, cmake echo_append, cmake compare_files, cmake md5sum,"
        " cmake sha1sum, cmake sha224sum, cmake sha256sum, cmake sha384sum, cmake sha512sum,"
        " cmake capabilities, cmake make_directory, cmake touch, cmake touch_nocreate",
        kind=RUNNER,
        flags="-E",
    ),
    CommandScope(
        names="lldb",
        single_dash=True,
        flags="--one-line-before-file=!runs --source-before-file=!runs",
    ),
    CommandScope(
        names="lldb, gdb",
        single_dash=True,
        flags="--P=!runs --python=!runs --p=!widens_rights --pid=!widens_rights",
    ),
    CommandScope(
        names="strace, ltrace",
        flags="-p=!widens_rights --attach=!widens_rights -u=!widens_rights --user=!widens_rights",
    ),
    CommandScope(
        names="hyperfine",
        flags="-S=!runs --shell=!runs --export-json=!overwrites_non_report"
        " --export-csv=!overwrites_non_report",
    ),
    CommandScope(
        names="mongosh, mongo",
        max_operands=1,
        flags="--host=!leads_elsewhere -f=!runs --file=!runs --eval=!runs",
    ),
    CommandScope(names="duckdb", flags="-f=!runs --file=!runs -init=!runs"),
    CommandScope(
        names="mysql, mariadb, mycli",
        max_operands=1,
        flags="--pager=!runs",
    ),
    CommandScope(
        names="mysqldump, mariadb-dump",
        flags="-r=!overwrites_non_output"
        " --result-file=!overwrites_non_output -T=!writes --tab=!writes",
    ),
    CommandScope(names="psql", max_operands=1, flags="-P= --pset="),
    CommandScope(
        names="sqlcmd, isql, bcp", flags="-S=!leads_elsewhere -Q=!runs -q=!runs -i=!runs -o=!writes"
    ),
    CommandScope(names="redis-cli, valkey-cli", flags="--pipe!runs -x!sends -X=!sends"),
    CommandScope(
        names="ansible, ansible-playbook",
        max_operands=1,
        flags="--connection= --become-method=!runs --host=!leads_elsewhere",
        run_pattern=r"\A(?:-i|--inventory=)?[\w./-]+\.(?:sh|bash|py|rb|pl|js)\Z",
    ),
    CommandScope(
        names="php, phpunit",
        flags="-d= -z=!runs -c=!works_elsewhere --extension=!runs --printer=!runs --loader=!runs",
    ),
    CommandScope(names="phpunit", kind=RUNNER, flags="--generate-configuration!writes"),
    CommandScope(names="phpstan", kind=CHECKER, flags="-a=!loads_code --autoload-file=!loads_code"),
    CommandScope(
        names="rubocop",
        kind=CHECKER,
        flags="-o=!overwrites_non_report --out=!overwrites_non_report --require=!loads_code",
    ),
    CommandScope(
        names="rspec",
        kind=RUNNER,
        flags="--init!writes -O=!works_elsewhere --options=!works_elsewhere",
    ),
    CommandScope(
        names="gunicorn",
        kind=RUNNER,
        flags="-k=!works_elsewhere --worker-class=!works_elsewhere -c=!works_elsewhere"
        " --config=!works_elsewhere --logger-class=!works_elsewhere --pythonpath=!works_elsewhere"
        " --chdir=!works_elsewhere --paste=!works_elsewhere --log-config=!works_elsewhere",
    ),
    CommandScope(
        names="sphinx-build",
        kind=RUNNER,
        flags="-c=!works_elsewhere -D= -A= -w=!overwrites_non_report -d= -b= -j= -t= -W -n -q -E -a"
        " -M",
    ),
    CommandScope(names="scrapy", flags="-s= -a= -o= --output= -O=!overwrites_source"),
    CommandScope(
        names="k6",
        kind=RUNNER,
        flags="-o=!overwrites_non_report --out=!overwrites_non_report -e= -u= -d= -i=",
    ),
    CommandScope(names="wrk, ab", max_operands=1, flags="-s=!runs -t= -c= -d= -n= -H= -k"),
    CommandScope(
        names="act",
        kind=RUNNER,
        flags="-P=!loads_code --platform=!loads_code -W= --workflows= -j= -s=!shows_secrets"
        " --secret=!shows_secrets --container-options=!widens_rights --bind!widens_rights",
    ),
    CommandScope(names="buf generate", kind=CHECKER, flags="--template=!works_elsewhere"),
    CommandScope(names="convert, magick", flags="--host=!leads_elsewhere"),
    CommandScope(
        names="cdk", flags="-a=!runs --app=!runs -b=!runs --build=!runs -o=!deletes --plugin=!runs"
    ),
    CommandScope(
        names="esbuild",
        kind=RUNNER,
        flags="--metafile=!overwrites_non_report --allow-overwrite!writes",
    ),
    CommandScope(
        names="rollup, webpack", kind=RUNNER, flags="-p=!runs --plugin=!runs --output-clean!deletes"
    ),
    CommandScope(
        names="rollup",
        kind=RUNNER,
        flags="--watch.onStart=!runs --watch.onBundleStart=!runs --watch.onBundleEnd=!runs"
        " --watch.onEnd=!runs --watch.onError=!runs",
    ),
    CommandScope(
        names="tsc-watch",
        kind=RUNNER,
        flags="--onSuccess=!runs --onFailure=!runs --onFirstSuccess=!runs"
        " --onCompilationStarted=!runs --onCompilationComplete=!runs --onEmit=!runs",
    ),
    CommandScope(names="chokidar", flags="-c=!runs --command=!runs"),
    CommandScope(names="npm-run-all, run-s, run-p", kind=RUNNER, flags="--npm-path=!runs"),
    CommandScope(
        names="jest",
        kind=RUNNER,
        flags="--moduleNameMapper=!runs --haste=!runs --modulePaths=!works_elsewhere"
        " --moduleDirectories=!works_elsewhere --roots=!works_elsewhere --projects=!works_elsewhere"
        " --preset=!works_elsewhere --watchPlugins=!runs --cacheDirectory=",
    ),
    CommandScope(
        names="cypress",
        kind=RUNNER,
        flags="--browser=!loads_code -b=!loads_code --project=!works_elsewhere -P=!works_elsewhere",
    ),
    CommandScope(
        names="vitest, playwright, vite, next, storybook, wrangler, expo",
        kind=RUNNER,
        flags="--ui-host=!listens --api.host=!listens --inspect?!listens --inspect-brk?!listens",
    ),
    CommandScope(
        names="prisma",
        kind=RUNNER,
        flags="--url=!leads_elsewhere --accept-data-loss!deletes --to-url=!leads_elsewhere"
        " --from-url=!leads_elsewhere --shadow-database-url=!leads_elsewhere",
    ),
    CommandScope(
        names="pytest, py.test",
        write_pattern=r"\A(?:-[A-Za-z]*o|--ov[a-z-]*=)?cache_dir=(?!/|\.\w|(?!\S*\.\.)\S*cache)",
        kind=RUNNER,
        flags="--px=!runs --selenium-host=!leads_elsewhere --rsyncdir="
        " --docker-compose-file=!works_elsewhere",
    ),
    CommandScope(
        names="ng", kind=RUNNER, flags="--karma-config=!works_elsewhere --output-path=!deletes"
    ),
    # Rights that a container asks for, and what a build takes from this machine.
    CommandScope(
        names="docker run, docker create, docker container run, docker container create,"
        " podman run, podman create, nerdctl run",
        flags="--group-add=!widens_rights --annotation=!runs --oom-kill-disable!widens_rights"
        " --log-opt=!leads_elsewhere --dns=!leads_elsewhere --storage-opt=!widens_rights"
        " --label-file<",
    ),
    CommandScope(
        names="docker build, docker buildx build, docker image build, podman build",
        flags="--secret=!shows_secrets --builder=!leads_elsewhere --sbom=!runs --attest=!runs"
        " --cgroup-parent=!widens_rights",
    ),
    CommandScope(
        names="docker compose, docker-compose, podman compose",
        flags="-o=!overwrites_non_output --output=!overwrites_non_output",
    ),
    CommandScope(
        names="docker save, docker image save, podman save",
        flags="-o=!overwrites_non_output --output=!overwrites_non_output",
    ),
    CommandScope(names="docker commit, docker import", flags="--change=!runs -c=!runs"),
    CommandScope(
        names="docker network create, docker volume create", flags="--driver=!runs -d=!runs"
    ),
    CommandScope(names="docker stack deploy", flags="-c= --compose-file="),
    CommandScope(names="docker buildx bake", flags="--set=!writes -f="),
    CommandScope(
        names="kubectl run, oc run", flags="--overrides=!widens_rights --privileged!widens_rights"
    ),
    CommandScope(
        names="devcontainer",
        flags="--docker-path=!runs --docker-compose-path=!runs --mount=!widens_rights",
    ),
    # Where a program's own things come from.
    CommandScope(
        names="pipenv",
        flags="--python=!picks_program --extra-pip-args=!leads_elsewhere"
        " --index=!leads_elsewhere -i=!leads_elsewhere",
    ),
    CommandScope(
        names="nox",
        kind=RUNNER,
        flags="--force-python=!picks_program --report=!overwrites_non_report --envdir=",
    ),
    CommandScope(
        names="poetry export, pdm export",
        flags="-o=!overwrites_non_output --output=!overwrites_non_output",
    ),
    CommandScope(
        names="just",
        kind=RUNNER,
        flags="--cygpath=!runs --tempdir=!works_elsewhere -g!loads_code"
        " --global-justfile!loads_code --edit!runs -e!runs --choose!runs --set=",
    ),
    CommandScope(
        names="task",
        kind=RUNNER,
        flags="-g!loads_code --global!loads_code --insecure!leads_elsewhere -d=!works_elsewhere"
        " --dir=!works_elsewhere -t=!works_elsewhere --taskfile=!works_elsewhere",
    ),
    CommandScope(names="rake", kind=RUNNER, flags="-g!loads_code --system!loads_code"),
    CommandScope(
        names="nx",
        kind=RUNNER,
        flags="--outputPath=!deletes --runner=!runs --file=!overwrites_non_report",
    ),
    CommandScope(
        names="turbo",
        kind=RUNNER,
        flags="--graph=!overwrites_non_report"
        " --profile=!overwrites_non_report --api=!leads_elsewhere",
    ),
    CommandScope(
        names="uv run", flags="-p=!picks_program --python=!picks_program -m=!runs --module=!runs"
    ),
    CommandScope(names="ansible", max_operands=1, flags="-a=!runs --args=!runs"),
    CommandScope(names="gdb", single_dash=True, flags="--args!runs"),
    CommandScope(
        names="playwright open, playwright codegen, playwright screenshot, playwright pdf",
        escape=Escape.LEADS_ELSEWHERE,
    ),
    CommandScope(names="onchange, npm-watch, wait-on", kind=RUNNER),
    CommandScope(
        names="xcodebuild",
        kind=RUNNER,
        single_dash=True,
        flags="--xcconfig=!works_elsewhere --project=!works_elsewhere --workspace=!works_elsewhere"
        " --derivedDataPath=!works_elsewhere --scheme= --destination= --configuration= --sdk="
        " --toolchain=!runs",
    ),
    CommandScope(
        names="swift", kind=RUNNER, flags="-Xlinker=!runs --disable-sandbox!widens_rights"
    ),
    CommandScope(
        names="deno run, deno test, deno task, deno",
        flags="-W?!widens_rights -R? -N? -E? -P?!widens_rights -RW!widens_rights -WR!widens_rights"
        " -NW!widens_rights -WN!widens_rights",
    ),
    CommandScope(
        names="celery",
        kind=RUNNER,
        flags="-A= -b=!leads_elsewhere --broker=!leads_elsewhere --config=!leads_elsewhere"
        " --workdir=!works_elsewhere",
    ),
    CommandScope(names="perf script", flags="-s=!runs --script=!runs -g=!runs --gen-script=!runs"),
    CommandScope(
        names="drush php:eval, drush ev, drush php:script, drush php:cli, drush sql:query,"
        " drush sql:cli, drush sql-cli, drush sqlq, wp eval, wp eval-file, wp shell, wp db query,"
        " wp db cli, symfony php, knife ssh, knife exec, hardhat console, crystal eval,"
        " crystal tool, fastlane run, fastlane action, inspec shell, kitchen exec, minikube ssh,"
        " colima ssh,"
        " podman machine ssh, firebase emulators:exec, netlify dev:exec, adb shell, rebar3 shell,"
        " kustomize fn, firebase functions:shell",
        escape=Escape.RUNS,
    ),
    CommandScope(
        names="composer create-project, composer global, wp plugin install, wp theme install,"
        " trivy plugin, forge install, dub run",
        escape=Escape.LOADS_CODE,
    ),
    CommandScope(names="composer config, flux bootstrap", escape=Escape.LEADS_ELSEWHERE),
    CommandScope(names="changeset publish", escape=Escape.SENDS),
    CommandScope(
        names="wp, drush, composer",
        kind=RUNNER,
        flags="--ssh=!leads_elsewhere --exec=!runs --require=!loads_code",
    ),
    CommandScope(
        names="testcafe",
        kind=RUNNER,
        flags="-a=!runs --app=!runs --cs=!runs --config-file=!works_elsewhere",
    ),
    CommandScope(names="netlify dev", kind=RUNNER, flags="-c=!runs --command=!runs"),
    CommandScope(
        names="zx, scala-cli", kind=RUNNER, flags="-e=!runs --eval=!runs --execute-script=!runs"
    ),
    CommandScope(
        names="scons, mage, air, doit, invoke, inv, fab",
        kind=RUNNER,
        single_dash=True,
        flags="--gocmd=!runs --H=!leads_elsewhere --c=!works_elsewhere --f=!works_elsewhere"
        " --d=!works_elsewhere --C=!works_elsewhere",
    ),
    CommandScope(names="javadoc", single_dash=True, flags="--doclet=!runs --docletpath=!runs"),
    CommandScope(names="puppet apply", flags="-e=!runs --execute=!runs"),
    CommandScope(names="inspec, kitchen, ansible-console", flags="-c=!runs --command=!runs"),
    CommandScope(
        names="postcss", kind=RUNNER, flags="-u=!runs --use=!runs --config=!works_elsewhere"
    ),
    CommandScope(
        names="standard-version, release-it", kind=RUNNER, flags="--scripts=!runs --hooks=!runs"
    ),
    CommandScope(
        names="forge", kind=RUNNER, flags="--ffi!runs --broadcast!sends --fork-url=!leads_elsewhere"
    ),
    CommandScope(
        names="terragrunt",
        flags="--terragrunt-tfpath=!runs --tf-path=!runs --terragrunt-json-out=!overwrites_source"
        " --json-out=!overwrites_source",
    ),
    CommandScope(names="nginx", flags="-g=!runs -c=!works_elsewhere -p=!works_elsewhere"),
    CommandScope(names="nim", kind=RUNNER, flags="--passC=!runs --passL=!runs --gcc.exe=!runs"),
    CommandScope(
        names="clojure, clj", flags="-Sdeps=!loads_code -e=!runs --eval=!runs -M? -A? -T? -X?"
    ),
    CommandScope(names="semgrep", kind=CHECKER, flags="--autofix!writes"),
    CommandScope(
        names="julia, Rscript, lua, luajit, R, elixir, raku, ocaml, groovy, scala",
        kind=INTERPRETER,
        flags="-e=!runs -E=!runs --eval=!runs -L=!loads_code --rpc-eval=!runs --erl=!runs",
    ),
    CommandScope(
        names="salt-call cmd.run, salt-call cmd.script, salt * cmd.run", escape=Escape.RUNS
    ),
    CommandScope(
        names="gleam run, rebar3 as",
        kind=RUNNER,
        flags="-m=!works_elsewhere --module=!works_elsewhere",
    ),
    # What a word of a program's own language does more.
    CommandScope(
        names="sbt",
        run_pattern=r"\A[!<;]|(?:\A|[;~+/:\s])(?:eval|set|alias|apply|run|runMain|bgRun|console\w*|publish\w*)(?=[\s;]|\Z)",
    ),
    CommandScope(names="rclone", run_pattern=r"\A:[a-z]|,\w*(?:command|ssh)\b"),
    CommandScope(
        names="exiftool",
        run_pattern=r"`|\b(?:system|exec|qx|open|unlink|require|eval)\s*[({\"'$]",
        write_pattern=r"\A--?[\w:*]*[-+^]?[<=]|\A--?(?:delete_original|overwrite_original|restore_original|W)",
        flags="-p=!runs",
    ),
    CommandScope(
        names="mlr",
        run_pattern=r"\b(?:tee|e?print\w*|emit\w*|e?dump)\b[^|>]*\|\s*\"|\b(?:system|exec)\s*\(",
        write_pattern=r"\b(?:tee|e?print\w*|emit\w*|e?dump)\b[^>]*>\s*[\"$]|\A(?:tee|split)\Z",
        flags="-I!writes",
    ),
    CommandScope(
        names="convert, identify, magick, mogrify", run_pattern=r"\A(?:msl|ephemeral|x|show|win):"
    ),
    CommandScope(
        names="ffprobe",
        flags="-o=!overwrites_source -of= -print_format= -i= -v= -show_entries= -select_streams="
        " -report!writes",
    ),
    CommandScope(names="ffmpeg, ffprobe", write_pattern=r"\[\w+=[^]]*\]\S"),
    # What loads code of its own, or turns a check into more.
    CommandScope(
        names="lighthouse", flags="--chrome-flags=!runs --config-path=!runs --plugins=!runs"
    ),
    CommandScope(
        names="javac",
        single_dash=True,
        flags="--processor=!runs --processorpath=!runs --Xplugin?!runs",
    ),
    CommandScope(names="stack, cabal", run_pattern=r"-fplugin|-pgm\w", flags="--with-ghc=!runs"),
    CommandScope(
        names="dotnet",
        run_pattern=r"\A[-/]{1,2}(?:p|property):\w*(?:Event|ToolPath|AdapterPath|Exec\w*|Command\w*)=",
    ),
    CommandScope(names="playwright, playwright test", kind=RUNNER, flags="--ui --ui-host=!listens"),
    CommandScope(
        names="http, https, xh, xhs",
        send_pattern=r"\A[\w-]*(?::=|==|=|:)?@.|\A--?raw=@",
        flags="--follow!leads_elsewhere -F!leads_elsewhere",
    ),
    CommandScope(names="swift", flags="-Xcc=!runs -Xcxx=!runs -Xswiftc=!runs"),
    CommandScope(names="zig, zig build", flags="--build-runner=!runs"),
    CommandScope(
        names="clang-tidy",
        flags="--extra-arg=!runs --extra-arg-before=!runs --load=!runs"
        " --export-fixes=!overwrites_non_report",
    ),
    CommandScope(names="vim, view, nvim, vimdiff", flags="-s=!runs -w=!writes -W=!writes -S=!runs"),
    CommandScope(
        names="bazel, bazelisk",
        run_pattern=r"\A--(?:test|action|repo)_env=(?:LD_|DYLD_|PATH|BASH_ENV)",
        flags="--crosstool_top=!runs --test_env= --action_env= --repo_env="
        " --profile=!overwrites_non_report --build_event_json_file=!overwrites_non_report"
        " --build_event_text_file=!overwrites_non_report"
        " --build_event_binary_file=!overwrites_non_report"
        " --execution_log_json_file=!overwrites_non_report"
        " --execution_log_binary_file=!overwrites_non_report --explain=!overwrites_non_report"
        " --output_file=!overwrites_non_report --memory_profile=!overwrites_non_report",
    ),
    CommandScope(names="sphinx-build", run_pattern=r"\A(?:extensions|html_theme\w*|suppress\w*)="),
    CommandScope(
        names="jupyter nbconvert",
        flags="--execute --inplace!writes --to=!runs_filter --config=!runs --allow-errors"
        " --Exporter.preprocessors=!runs --TemplateExporter.filters=!runs",
    ),
    CommandScope(names="tox", flags="--force-dep=!runs -x=!runs --override=!runs"),
    CommandScope(
        names="bun, bun run", flags="--install=!runs --inspect?!listens --inspect-brk?!listens"
    ),
    CommandScope(
        names="eslint, tflint",
        flags="--init!loads_code --suppress-all!writes --prune-suppressions!writes",
    ),
    CommandScope(
        names="npm view, npm info, npm show", run_pattern=r"\A(?:https?|git\S*|github|file):"
    ),
    CommandScope(names="helm template, helm lint", flags="--dependency-update!loads_code"),
    CommandScope(
        names="journalctl",
        flags="--setup-keys!writes --update-catalog!writes --relinquish-var!writes",
    ),
    CommandScope(names="lsof", flags="-D=!writes"),
    CommandScope(
        names="kubectl, oc",
        flags="--insecure-skip-tls-verify?!leads_elsewhere"
        " --insecure-skip-tls-verify-backend?!leads_elsewhere",
    ),
    CommandScope(names="deno", flags="--unsafely-ignore-certificate-errors?!leads_elsewhere"),
    CommandScope(
        names="ansible, ansible-playbook",
        flags="-b!widens_rights --become!widens_rights --become-user=!widens_rights"
        " --become-method=!widens_rights -K!widens_rights --ask-become-pass!widens_rights",
    ),
    CommandScope(
        names="ansible-inventory",
        flags="-i=!names_machines --inventory=!names_machines --output=!overwrites_non_output"
        " --vault-password-file=!runs --vault-id=!runs --playbook-dir=!works_elsewhere --list"
        " --graph --host= --yaml -y -v",
        run_pattern=r"\A(?:-i|--inv[a-z]*=)?[\w./ -]+\.(?:sh|bash|py|rb|pl|js)\Z",
    ),
    CommandScope(
        names="kustomize build",
        flags="--load-restrictor=!widens_rights --enable-exec!runs -o=!overwrites_non_report",
    ),
    CommandScope(
        names="ctest",
        send_pattern=r"\A(?:-[DT]|--[a-z-]+=)?(?:\w*(?:Submit|Upload)|Experimental|Nightly|Continuous)\Z",
    ),
    CommandScope(
        names="openssl s_client",
        flags="-msgfile=!overwrites_non_report -keylogfile=!overwrites_non_report"
        " -sess_out=!overwrites_non_report -msg_file=!overwrites_non_report",
    ),
    CommandScope(
        names="gpg, gpg2",
        flags="--status-file=!overwrites_non_report --logger-file=!overwrites_non_report"
        " --log-file=!overwrites_non_report --attribute-file=!overwrites_non_report",
    ),
    CommandScope(
        names="pulumi",
        flags="--profiling=!overwrites_non_output --event-log=!overwrites_source"
        " --tracing=!leads_elsewhere",
    ),
    CommandScope(
        names="pulumi preview",
        flags="--save-plan=!overwrites_non_report --import-file=!overwrites_source",
    ),
    CommandScope(names="pulumi stack export", flags="--file=!overwrites_source"),
    CommandScope(names="nix eval", flags="--write-to=!writes"),
    CommandScope(names="flutter analyze", flags="--write=!overwrites_non_report"),
    CommandScope(names="pyright", flags="--createstub=!writes --writebaseline!writes"),
    CommandScope(
        names="mypy",
        flags="--timing-stats=!overwrites_non_report --any-exprs-report=!overwrites_non_report",
    ),
    CommandScope(
        names="gradle, gradlew", flags="--write-locks!writes --write-verification-metadata=!writes"
    ),
    CommandScope(names="gradle, gradlew", flags="-M=!writes"),
    CommandScope(
        names="phpunit", flags="--migrate-configuration!writes --generate-configuration!writes"
    ),
    CommandScope(names="qpdf", flags="--replace-input!writes"),
    CommandScope(names="just", flags="--fmt!writes"),
    CommandScope(names="go vet", single_dash=True, flags="--fix!writes"),
    CommandScope(names="playwright test", flags="--update-source-method=!writes"),
    # What looks at something, and is told to run a program, or to put what it saw in a file.
    CommandScope(names="tmux", run_pattern=r"#\("),
    CommandScope(names="jj", flags="--config-toml=!runs --tool=!picks_program"),
    CommandScope(names="svn", flags="--config-option=!runs"),
    CommandScope(names="bzr, brz", flags="--using=!picks_program"),
    CommandScope(
        names="rpm, rpmquery, rpmspec, rpmbuild",
        run_pattern=r"%\(|%\{(?:lua|load|expand|uncompress)\b",
        flags="--pipe=!runs --macros=!runs -E= --eval=",
    ),
    CommandScope(
        names="apt-cache, apt-config, apt-mark", flags="-o=!runs --option=!runs -c=!leads_elsewhere"
    ),
    CommandScope(
        names="restic", run_pattern=r"(?:rclone|sftp)\.(?:program|command|args)=", flags="-o="
    ),
    CommandScope(names="borg", flags="--remote-path=!runs"),
    CommandScope(
        names="cloc",
        run_pattern=r"\A[-+]{1,2}extract|\A[-+]{1,2}vcs=|\A\+",
        flags="--extract-with=!runs --vcs=!runs_filter --strip-comments=!writes"
        " --strip-code=!writes --out=!overwrites_source --report-file=!overwrites_source"
        " --counted=!overwrites_source --ignored=!overwrites_source --found=!overwrites_source"
        " --categorized=!overwrites_source --sql=!overwrites_source"
        " --diff-alignment=!overwrites_source --write-lang-def=!overwrites_source"
        " --write-lang-def-incl-dup=!overwrites_source",
    ),
    CommandScope(
        names="cppcheck",
        kind=CHECKER,
        run_pattern=r"\A--clang=.*/",
        flags="--addon=!runs_filter --addon-python=!runs --output-file=!overwrites_source"
        " --plist-output=!overwrites_non_report --checkers-report=!overwrites_source",
    ),
    CommandScope(names="plantuml", single_dash=True, flags="--graphvizdot=!picks_program"),
    CommandScope(
        names="lilypond", kind=RUNNER, flags="-e=!runs --evaluate=!runs --init=!loads_code"
    ),
    CommandScope(names="lilypond-book", flags="-P=!runs --process=!runs -F=!runs --filter=!runs"),
    CommandScope(names="ncu, npm-check-updates", flags="--doctorTest=!runs --doctorInstall=!runs"),
    CommandScope(
        names="gitleaks",
        write_pattern=r"(?:\A|[\s='\"])--(?:ou|ext-|textc)",
        flags="-r=!overwrites_source --report-path=!overwrites_source"
        " --diagnostics-dir=!overwrites_non_report",
    ),
    CommandScope(
        names="gcc, g++, cc, c++, clang, clang++, gfortran",
        write_pattern=r"\A-W[alp],\S*(?:-MM?D,|-Map[=,]|-a[a-z]*=)\S*"
        r"\.(?:[ch](?:pp|c)?|[cm]?[jt]sx?|py|go|rs|sh|md|json|toml|ya?ml)\Z",
        flags="-MF=!overwrites_source -MJ=!overwrites_source -MT= -MQ= -MD -MMD -MM -MG -MP"
        " -aux-info=!overwrites_source",
    ),
    CommandScope(names="skaffold", flags="--file-output=!overwrites_source"),
    CommandScope(names="skaffold render", flags="-o=!overwrites_source"),
    CommandScope(
        names="checkov",
        kind=CHECKER,
        flags="-d= -f= -o= --output-file-path=!overwrites_non_report"
        " --create-config=!overwrites_source --external-checks-dir=!loads_code"
        " --external-checks-git=!loads_code",
    ),
    CommandScope(
        names="syft, grype",
        flags="-o=!overwrites_source --output=!overwrites_source --file=!overwrites_source",
    ),
    CommandScope(
        names="k6", flags="--console-output=!overwrites_source --log-output=!overwrites_source"
    ),
    CommandScope(
        names="pip-audit", flags="-o=!overwrites_non_report --output=!overwrites_non_report"
    ),
    CommandScope(
        names="safety",
        flags="--save-json=!overwrites_non_report --save-html=!overwrites_non_report",
    ),
    CommandScope(names="swiftlint", flags="--write-baseline=!overwrites_source"),
    CommandScope(
        names="brakeman",
        flags="-o=!overwrites_source --output=!overwrites_source --add-checks-path=!loads_code",
    ),
    CommandScope(
        names="detekt",
        flags="-r=!overwrites_source --report=!overwrites_source"
        " -b=!overwrites_source --baseline=!overwrites_source -p=!loads_code",
    ),
    CommandScope(
        names="ktlint",
        run_pattern=r"\A--reporter=.*\bartifact=",
        flags="--reporter=!overwrites_source -R=!loads_code --ruleset=!loads_code",
    ),
    CommandScope(
        names="nix build, nix-build",
        flags="-o=!overwrites_non_report --out-link=!overwrites_non_report"
        " --add-root=!overwrites_non_report --output-lock-file=!writes",
    ),
    CommandScope(
        names="hugo",
        flags="--profile-cpu=!overwrites_source --profile-mem=!overwrites_source"
        " --profile-block=!overwrites_source --profile-mutex=!overwrites_source"
        " --trace=!overwrites_source",
    ),
)
