# Never comes to an end, and does not want to be stopped.
trap '' TERM HUP INT
echo 'thinking'
while :; do sleep 1; done
