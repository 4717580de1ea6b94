"""Whose fault an error is: what is stored, or the database that it is stored in."""

from django.db import InterfaceError, OperationalError


def is_of_the_database(error: Exception) -> bool:
    """It is busy or gone, and says nothing of what is stored. SQLite fails so at a damaged text too."""
    return isinstance(error, (OperationalError, InterfaceError)) and "decode" not in str(error)
