# Tests of docs/: the examples in the manuals, and the links between pages.
sb_add_cli_test(docs_runner)
