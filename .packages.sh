# Sourced by run and test: the Debian packages that motes needs, and install_missing, which asks apt
# for those that are absent and for nothing else.

packages_build="build-essential cmake ninja-build pkg-config portaudio19-dev libkissfft-dev
    libglfw3-dev python3-glad liblo-dev libjansson-dev libcglm-dev libpng-dev libsndfile1-dev
    libegl-dev libgl-dev libpulse-dev libstb-dev fonts-dejavu-core libxss-dev libx11-dev"
packages_run="ffmpeg libgl1-mesa-dri libegl1 libasound2-plugins"
packages_test="libcmocka-dev libebur128-dev xvfb xdotool x11-xserver-utils pulseaudio-utils liblo-tools
    sonic-pi-samples glslang-tools"

# Those of its arguments that are not installed, each after a space: one question for all of them.
absent() {
    known=$(dpkg-query -W -f ' ${Package}=${db:Status-Status} ' "$@" 2>/dev/null) || true
    for package in "$@"; do
        case $known in
        *" $package=installed "*) ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}

# A machine whose sound server is PipeWire keeps it: its Pulse service serves the tests.
sound_server() {
    if [ "$(absent pipewire-pulse pipewire-alsa)" = " pipewire-pulse pipewire-alsa" ]; then
        echo pulseaudio
    else
        echo pipewire-pulse wireplumber dbus-daemon
    fi
}

install_missing() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "motes: no apt on this machine; the build names what is missing" >&2
        return 0
    fi
    missing=$(absent "$@")
    [ -n "$missing" ] || return 0
    by_hand="apt-get update && apt-get install --no-install-recommends$missing"
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "motes: packages are missing, and there is no sudo; as root: $by_hand" >&2
            exit 2
        fi
        as_root=sudo
    fi
    echo "motes: installing$missing"
    $as_root apt-get update -q </dev/null ||
        echo "motes: apt-get update failed; trying with the lists that are here" >&2
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-remove \
        --no-install-recommends $missing </dev/null || {
        echo "motes: packages are missing, and installing them failed; as root: $by_hand" >&2
        exit 2
    }
}
