/**
 * The web configuration file, with the keys of Prometheus' exporter-toolkit: certificate and users. JSON is YAML, so one file serves
 * Prometheus' own programs too.
 */
import * as Schema from "effect/Schema"

export const WebConfig = Schema.Struct({
  tls_server_config: Schema.optionalKey(Schema.Struct({ cert_file: Schema.String, key_file: Schema.String })),
  /** Names, and bcrypt hashes of passwords, as `htpasswd -nbBC 10 "" PASSWORD` makes them. */
  basic_auth_users: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.String.check(
        Schema.isPattern(/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/, { message: "expected a bcrypt hash" })
      )
    )
  )
})
