# Commits by itself, twice, with a message of its own.
task=${ORCHESTRA_OWNER##*.}
echo "first of $task" > "$task.txt"
git add --all && git -c user.name=Agent -c user.email=agent@example.org commit -q -m 'my own words'
echo "done by $task" > "$task.txt"
git add --all && git -c user.name=Agent -c user.email=agent@example.org commit -q -m 'more of my own words'
