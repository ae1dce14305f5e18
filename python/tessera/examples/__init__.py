"""Kernels to read, run and change. Each module's docstring runs it and compares with NumPy."""
