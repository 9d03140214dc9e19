# syntax=docker/dockerfile:1.7-labs

ARG BASE=debian:12

FROM ${BASE} AS base
ENV A=1
RUN <<EOT bash
set -e
FROM_HERE=1
FROM nothing AS not_a_stage
EOT
COPY <<"config.toml" <<'other.toml' /etc/
ENV NOT_ENV=1
config.toml
LABEL also=text
other.toml
ENV B=2

FROM --platform=$TARGETPLATFORM base AS run
ADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d https://example.org/a.tar.gz /
RUN --network=none --security=insecure --mount=type=secret,id=token,env=TOKEN make install
COPY --parents ./x/a.txt ./y/a.txt /parents/
HEALTHCHECK --start-interval=5s CMD true
LABEL last=yes
