include Makefile.repro
