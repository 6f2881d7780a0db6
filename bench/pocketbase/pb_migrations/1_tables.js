// The same data as collections: people, what they have, and what they sent.
migrate((app) => {
  const users = app.findCollectionByNameOrId("users")
  users.viewRule = '@request.auth.id != ""'
  for (const name of ["username", "dept", "bio", "currency"]) users.fields.add(new TextField({ name }))
  users.indexes = [...users.indexes, "CREATE UNIQUE INDEX users_username ON users (username)"]
  app.save(users)

  const person = (name) => ({ name, type: "relation", collectionId: users.id, required: true, maxSelect: 1 })
  app.save(
    new Collection({
      name: "balances",
      type: "base",
      viewRule: "user = @request.auth.id",
      fields: [person("user"), { name: "value", type: "number", onlyInt: true, min: 0 }],
      indexes: ["CREATE UNIQUE INDEX balances_user ON balances (user)"],
    }),
  )
  app.save(
    new Collection({
      name: "transactions",
      type: "base",
      listRule: "sender = @request.auth.id || receiver = @request.auth.id",
      fields: [
        person("sender"),
        person("receiver"),
        { name: "value", type: "number", onlyInt: true, min: 1, required: true },
        { name: "created", type: "autodate", onCreate: true },
      ],
      indexes: [
        "CREATE INDEX transactions_sender ON transactions (sender, created)",
        "CREATE INDEX transactions_receiver ON transactions (receiver, created)",
      ],
    }),
  )
})
