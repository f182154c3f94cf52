"""The Python API: one function for everything that the command line does; `import forethought as ft` offers them."""
