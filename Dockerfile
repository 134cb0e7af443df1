# The program, built from this tree:
#
#     docker build --tag sourcewire .
#     docker run --rm sourcewire info 192.0.2.7:27015
#
# Without a command it runs the monitor on port 9155, with the token of /run/secrets/monitor_token and its store in /var/lib/sourcewire.

FROM node:24-slim AS build
ENV TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
WORKDIR /build
COPY . .
RUN ["npx", "-y", "pnpm@12.21.0", "install", "--frozen-lockfile"]
RUN ["npx", "-y", "pnpm@12.21.0", "exec", "turbo", "run", "build", "--filter=sourcewire...", "--output-logs=errors-only"]

FROM node:24-slim
# A new volume gets the owner of this directory.
RUN ["install", "--directory", "--owner=node", "--group=node", "/var/lib/sourcewire"]
COPY --from=build /build/apps/cli/package.json /app/
COPY --from=build /build/apps/cli/dist /app/dist
ENV XDG_STATE_HOME=/var/lib XDG_CONFIG_HOME=/var/lib XDG_CACHE_HOME=/tmp
# The numeric id of the user "node", so that Kubernetes can verify that it is not root.
USER 1000:1000
EXPOSE 9155
STOPSIGNAL SIGTERM
# Checks only this instance: a stopped instance or an unreachable database must not restart this container.
HEALTHCHECK --interval=30s --timeout=15s --start-period=30s --retries=3 CMD ["node", "/app/dist/sourcewire.js", "monitor", "status", "--self", "--token-file", "/run/secrets/monitor_token"]
ENTRYPOINT ["node", "/app/dist/sourcewire.js"]
CMD ["monitor", "--bind=0.0.0.0:9155", "--token-file=/run/secrets/monitor_token", "--log=json"]
