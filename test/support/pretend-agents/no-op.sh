# Says that all is well and has done nothing.
echo 'All done!'
