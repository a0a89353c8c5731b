# An image with the `sempre` command alone. Models are files of the folder that is mounted:
#
#     docker build -t sempre .
#     docker run --rm --user "$(id -u):$(id -g)" -v "$PWD/models:/models" sempre explore peterson.dve

FROM rust:1-slim-bookworm AS build
WORKDIR /sempre
COPY . .
RUN cargo build --profile dist --locked --package sempre

# The same release as above, so that the C library is the same. `sempre cross` needs a shell.
FROM debian:bookworm-slim
COPY --from=build /sempre/target/dist/sempre /usr/local/bin/sempre
COPY --from=build /sempre/LICENSE-APACHE /sempre/LICENSE-MIT /usr/local/share/doc/sempre/
WORKDIR /models
ENTRYPOINT ["sempre"]
