# Prints the prompt that a headless agent gets on its standard input: all of it, or, on the channel of claude, its first line.
IFS= read -r first
case $first in
  '{"type":"user"'*) printf '%s' "$first" | node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).message.content[0].text' ;;
  *) printf '%s\n' "$first"; cat ;;
esac
