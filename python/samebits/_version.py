"""The version, as CMakeLists.txt has it."""
version = "0.2.0"
