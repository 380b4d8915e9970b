"""Programs that work only outside a box: with the network, services or other processes."""

from typing import Final

__all__ = ["OUTSIDE"]

OUTSIDE: Final = frozenset(
    # Containers, clusters and clouds.
    "docker docker-compose podman nerdctl buildah kubectl oc helm k9s stern minikube kind aws"
    " gcloud az gsutil terraform tofu terragrunt pulumi ansible ansible-playbook vercel netlify"
    " fly flyctl heroku wrangler firebase supabase"
    # Other machines and their log-ins.
    " ssh scp sftp rsync mosh gh glab hub psql mysql mongosh redis-cli"
    # The rights, services and packages of this machine.
    " sudo su doas pkexec systemctl service loginctl launchctl crontab at batch mount umount"
    " apt apt-get dnf yum pacman zypper apk brew port snap flatpak"
    # Other processes, and the screen.
    " kill killall pkill tmux screen nsenter chroot unshare bwrap adb xcrun xcodebuild simctl open"
    " xdg-open osascript code cursor dbus-send gdbus notify-send xclip wl-copy pbcopy".split()
)
