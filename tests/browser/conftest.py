import pytest


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    from browsing import started

    driver = started(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()
