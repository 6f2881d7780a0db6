# syntax=docker/dockerfile:1
# A server in a container without a shell:
#   docker build -t rewards .
# docs/operations/install.md has the rest.

# Builds for either processor on this one, so that nothing is emulated.
FROM --platform=$BUILDPLATFORM oven/bun:1.4.5-slim AS build
ARG TARGETARCH
WORKDIR /src
# The dependencies first: they change less often than the sources.
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile
COPY LICENSE build.ts tsconfig.json ./
COPY tooling tooling
COPY drizzle drizzle
COPY src src
RUN bun run build --arch=$TARGETARCH && mkdir /data

# glibc, certificates and nothing else; runs as user 65532.
FROM gcr.io/distroless/base-debian12:nonroot
COPY --from=build /src/LICENSE /usr/share/doc/rewards/LICENSE
COPY --from=build /src/dist/rewards /usr/bin/rewards
COPY --from=build --chown=65532:65532 /data /data
WORKDIR /data
VOLUME /data
ENV REWARDS_SERVER__HOST=0.0.0.0
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s --retries=3 CMD ["/usr/bin/rewards", "healthcheck"]
ENTRYPOINT ["/usr/bin/rewards"]
# The first start writes /data/rewards.toml with a new secret.
CMD ["serve", "--init"]
