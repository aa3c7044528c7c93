# The plan of the test, without looking for an act.
printf '```json\n'
cat "$HOME/plan.json"
printf '\n```\n'
