# caprese in a container. Build it in the root of the repository, and open the live page:
#
#   docker build --tag caprese .
#   docker run --rm -it -p 127.0.0.1:8000:8000 caprese
#
# or run another command on the files of the current folder:
#
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/data" caprese fit tumours.csv

# The first stage has the compiler, and builds the wheel of caprese and of all it needs.
FROM python:3.13-slim-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc git libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[app,clinical,excel,parquet,r]"

# The second has only what runs, and no rights but those of a normal user.
FROM python:3.13-slim-bookworm
# Versions are those of the wheels.
# hadolint ignore=DL3013
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels \
    "caprese[app,clinical,excel,parquet,r]" \
    && useradd --uid 1000 --create-home caprese \
    && install --directory --owner caprese /data
USER 1000
WORKDIR /data
ENV PYTHONDONTWRITEBYTECODE=1
EXPOSE 8000
ENTRYPOINT ["caprese"]
CMD ["app", "--host", "0.0.0.0", "--port", "8000", "--no-browser"]
