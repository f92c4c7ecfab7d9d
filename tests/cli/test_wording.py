"""How the terminal writes the settings that an error or its remedy names."""

import click
import pytest

from caprese.cli import cli
from caprese.cli.wording import setting, worded
from caprese.errors import DatasetError, ParameterError, Remedy


def context(command="fit"):
    return click.Context(cli.commands[command], info_name=command)


@pytest.mark.parametrize(
    ("parameter", "value", "text"),
    [
        ("top", None, "--top"),
        ("top", 20, "--top 20"),
        ("keep_unknown", True, "--keep-unknown"),
        ("sample_names", False, "--no-sample-names"),
        ("exclude", ("age", "stage of it"), "--exclude 'age,stage of it'"),
        ("format", "maf", "--format maf"),
        ("shrinkage", 0.5, "--shrinkage 0.5"),
        ("ascent", True, "--ascent yes"),
        ("patterns", None, "--pattern"),
        ("barcode", "patient", "--read barcode=patient"),
        ("nothing", 3, "nothing=3"),
        ("false_positive", None, "false_positive"),
    ],
)
def test_a_setting_is_written_as_a_user_types_it(parameter, value, text):
    assert setting(context())(parameter, value) == text


def test_a_command_that_reads_no_data_has_no_options_of_formats():
    assert setting(context("simulate"))("barcode", "patient") == "barcode=patient"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ParameterError("top", "at least 1", 0), "--top must be at least 1, got 0"),
        (
            DatasetError("all is constant", remedy=Remedy("keep_constant", True, "keeps events")),
            "all is constant; --keep-constant keeps events",
        ),
        (ValueError("something else"), "something else"),
    ],
)
def test_an_error_is_worded_for_the_terminal(error, line):
    with pytest.raises(click.ClickException, match=f"^{line}$"), worded(context()):
        raise error
