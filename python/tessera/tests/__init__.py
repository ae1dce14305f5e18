"""Tests of the installed package: python -m pytest --pyargs tessera."""
