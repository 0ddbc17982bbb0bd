# Is read by the scripts of the action: leaves those folders in the search path that are absolute and outside of the checkout.

search_path() {
  IFS=:
  for each in $PATH; do
    case $each in
    "$1" | "$1"/* | "$2" | "$2"/*) ;;
    /*) printf '%s:' "$each" ;;
    esac
  done
  unset IFS
}

checkout=${GITHUB_WORKSPACE:-$PWD}
workspace=$(cd -P -- "$checkout" && pwd -P)
PATH=$(search_path "$workspace" "$checkout")
# An empty name at the end would be the current folder.
export PATH="${PATH%:}"
