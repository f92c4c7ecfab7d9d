"""The report page: what it rests on, what it says, and how it is shown."""
