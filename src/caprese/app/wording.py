"""The page's words for errors and notes: settings as the fields of its forms."""

_FIELDS = {
    "exclude": "“columns to leave out”",
    "orders_extra": "“leave out orders of other samples and events”",
    "transpose": "“rows are events, columns are samples”",
    "top": "“keep the most frequent events” in step 1",
    "hypermutated": "“drop samples with more events than” in step 1",
    "at_least": "“drop events rarer than” in step 1",
    "coverage": "“drop events known in fewer samples than” in step 1",
    "keep_constant": "“keep events that are in all or no samples”",
    "keep_identical": "“keep identical events apart”",
    "keep_all": "“keep all events, even if there are more than 50”",
    "keep_unknown": "“keep samples without any known entry”",
}


def setting(parameter: str, value: object) -> str:
    """Return a parameter, with a value, as a user finds it on the page.

    Examples
    --------
    >>> setting("exclude", ("age", "stage"))
    'age,stage under “columns to leave out”'
    >>> setting("transpose", True), setting("gain", 1)
    ('“rows are events, columns are samples”', 'the option gain=1')
    """
    field = _FIELDS.get(parameter)
    if field is None:
        return parameter if value is None else f"the option {parameter}={value}"
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else value
    return field if value is None or value is True else f"{text} under {field}"
