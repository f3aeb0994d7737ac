# The generated files of docs/ are what the program would write now.
"$WW_ROOT/tools/check-docs" "$WW_BUILD"
