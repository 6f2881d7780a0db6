// A transfer is one request and one transaction. The statements change balances directly, because saving their records takes longer.
routerAdd(
  "POST",
  "/api/transfers/{receiver}",
  (e) => {
    const { value } = e.requestInfo().body
    if (!Number.isInteger(value) || value < 1) throw new BadRequestError("value must be a whole number from 1")
    const [sender, receiver] = [e.auth.id, e.request.pathValue("receiver")]
    $app.runInTransaction((tx) => {
      const add = (user, value) =>
        tx
          .db()
          .newQuery("UPDATE balances SET value = value + {:value} WHERE user = {:user} AND value + {:value} >= 0")
          .bind({ user, value })
          .execute()
          .rowsAffected()
      if (add(sender, -value) === 0) throw new ForbiddenError("too few points")
      if (add(receiver, value) === 0) throw new NotFoundError("no such user")
      const transaction = new Record(tx.findCollectionByNameOrId("transactions"))
      transaction.load({ sender, receiver, value })
      tx.save(transaction)
    })
    return e.json(201, { message: "Transaction added" })
  },
  $apis.requireAuth("users"),
)
