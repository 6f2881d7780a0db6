/**
 * Who may do what: every endpoint by target, for every kind of credential.
 *
 * Ana calls, except in the last four columns. `self` is Ana, `other` is Carla, `unknown` is a name that nobody has.
 *
 * | Column    | Presents                                                                                      |
 * | none      | nothing                                                                                       |
 * | access    | Ana's access token                                                                            |
 * | stale     | her access token from a refresh, where `?fresh=true` demands one that a password was given for |
 * | refresh   | her refresh token                                                                             |
 * | reset     | her reset token                                                                               |
 * | expired   | a token of hers whose time has passed                                                         |
 * | forged    | a token of hers, signed with another key                                                      |
 * | unsigned  | a token of hers with the algorithm `none`                                                     |
 * | ended     | a token of hers from before her password was changed                                          |
 * | cookie    | the cookie of her session                                                                     |
 * | c.foreign | the same, from a page of another site                                                         |
 * | c.unknown | a cookie that never was one, beside a good access token                                       |
 * | c.expired | the cookie of a session whose time has passed, likewise                                       |
 * | c.ended   | the cookie of a session from before her password was changed, likewise                        |
 * | another's | the token of Bruno, who is no superuser                                                       |
 * | super     | the token of a superuser                                                                      |
 * | s.cookie  | the cookie of a superuser's session                                                           |
 * | s.foreign | the same, from a page of another site                                                         |
 *
 * A token is of the kind that the endpoint asks for, but in the columns that name a kind: `/refresh_token` takes it in
 * the body, `?pwd_reset_token=` in the query, everything else as bearer.
 *
 * | Cell | Answer                                                                            |
 * | 2xx  | done, and the database shows it                                                   |
 * | 200+ | done, with what only some may see: balances, everybody's transactions             |
 * | 101  | the stream is open                                                                |
 * | 400  | `Insufficient balance`: the superuser is admin, whose balance is below zero        |
 * | 401  | `Could not validate credentials` with a challenge; at a login: `Incorrect ...`    |
 * | 401s | `Invalid Session ID`                                                              |
 * | 403  | the endpoint's own refusal, such as `Not a super user`                            |
 * | 403o | the refusal of a foreign origin                                                   |
 * | 404  | `User not found`                                                                  |
 * | 405  | `Method Not Allowed`                                                              |
 * | 422  | the field that holds the token is missing                                         |
 *
 * Whatever is refused leaves users, passwords, balances and transactions as they were.
 */
export const table = `
endpoint                                       | none | access | stale | refresh | reset | expired | forged | unsigned | ended | cookie | c.foreign | c.unknown | c.expired | c.ended | another's | super | s.cookie | s.foreign
POST /token                            self    | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 403o      | 200       | 200       | 200     | 200       | 200   | 200      | 403o
POST /token                            other   | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 403o      | 200       | 200       | 200     | 200       | 200   | 200      | 403o
POST /token                            unknown | 401  | 401    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 401    | 403o      | 401       | 401       | 401     | 401       | 401   | 401      | 403o
POST /refresh_token                    -       | 422  | 401    | 401   | 200     | 401   | 401     | 401    | 401      | 401   | 422    | 403o      | 422       | 422       | 422     | 200       | 200   | 422      | 403o
POST /login                            self    | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 403o      | 200       | 200       | 200     | 200       | 200   | 200      | 403o
POST /login                            other   | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 403o      | 200       | 200       | 200     | 200       | 200   | 200      | 403o
POST /login                            unknown | 401  | 401    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 401    | 403o      | 401       | 401       | 401     | 401       | 401   | 401      | 403o
POST /logout                           -       | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 200       | 200       | 200       | 200     | 200       | 200   | 200      | 200
GET /api/v1/wall                       -       | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 200       | 200       | 200       | 200     | 200       | 200   | 200      | 200
GET /api/v1/wall with "auth"           -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
GET /user/                             -       | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 200       | 200       | 200       | 200     | 200       | 200+  | 200+     | 200+
GET /user/ with "auth"                 -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200+  | 200+     | 200+
GET /user/{username}/                  self    | 200  | 200+   | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200+   | 200+      | 200       | 200       | 200     | 200       | 200+  | 200+     | 200+
GET /user/{username}/                  other   | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 200       | 200       | 200       | 200     | 200       | 200+  | 200+     | 200+
GET /user/{username}/                  unknown | 404  | 404    | 404   | 404     | 404   | 404     | 404    | 404      | 404   | 404    | 404       | 404       | 404       | 404     | 404       | 404   | 404      | 404
GET /user/{username}/ with "auth"      self    | 401  | 200+   | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200+   | 200+      | 401s      | 401s      | 401s    | 200       | 200+  | 200+     | 200+
GET /user/{username}/ with "auth"      other   | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200+  | 200+     | 200+
GET /user/{username}/ with "auth"      unknown | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 404       | 401s      | 401s      | 401s    | 404       | 404   | 404      | 404
POST /user/                            -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 201   | 201      | 403o
PATCH /user/{username}/                self    | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
PATCH /user/{username}/                other   | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
PATCH /user/{username}/                unknown | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 403o      | 401s      | 401s      | 401s    | 404       | 404   | 404      | 403o
POST /user/{username}/password/        self    | 403  | 200    | 403   | 403     | 403   | 403     | 403    | 403      | 403   | 200    | 403o      | 403       | 403       | 403     | 403       | 200   | 200      | 403o
POST /user/{username}/password/        other   | 403  | 403    | 403   | 403     | 403   | 403     | 403    | 403      | 403   | 403    | 403o      | 403       | 403       | 403     | 403       | 200   | 200      | 403o
POST /user/{username}/password/        unknown | 404  | 404    | 404   | 404     | 404   | 404     | 404    | 404      | 404   | 404    | 403o      | 404       | 404       | 404     | 404       | 404   | 404      | 403o
POST /user/{username}/password/?reset  self    | 403  | 403    | 403   | 403     | 200   | 403     | 403    | 403      | 403   | 200    | 403o      | 403       | 403       | 403     | 403       | 403   | 200      | 403o
POST /user/{username}/password/?reset  other   | 403  | 403    | 403   | 403     | 403   | 403     | 403    | 403      | 403   | 403    | 403o      | 403       | 403       | 403     | 403       | 403   | 200      | 403o
POST /user/{username}/password/?reset  unknown | 404  | 404    | 404   | 404     | 404   | 404     | 404    | 404      | 404   | 404    | 403o      | 404       | 404       | 404     | 404       | 404   | 404      | 403o
POST /user/pwd_reset_token/            self    | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 403o      | 200       | 200       | 200     | 200       | 200   | 200      | 403o
POST /user/pwd_reset_token/            other   | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 403o      | 200       | 200       | 200     | 200       | 200   | 200      | 403o
POST /user/pwd_reset_token/            unknown | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 403o      | 200       | 200       | 200     | 200       | 200   | 200      | 403o
POST /transaction/{username}/          self    | 401  | 201    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 201    | 403o      | 401s      | 401s      | 401s    | 201       | 201   | 201      | 403o
POST /transaction/{username}/          other   | 401  | 201    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 201    | 403o      | 401s      | 401s      | 401s    | 201       | 201   | 201      | 403o
POST /transaction/{username}/          unknown | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 403o      | 401s      | 401s      | 401s    | 404       | 404   | 404      | 403o
GET /api/v1/feed                       -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
GET /api/v1/stream                     -       | 405  | 405    | 405   | 405     | 405   | 405     | 405    | 405      | 405   | 405    | 405       | 405       | 405       | 405     | 405       | 405   | 405      | 405
WebSocket /api/v1/stream               -       | 401  | 101    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 101    | 403o      | 401s      | 401s      | 401s    | 101       | 101   | 101      | 403o
GET /api/v1/recognitions/{id}                - | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
PUT /api/v1/recognitions/{id}/reactions/{emoji} - | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 200       | 200   | 200      | 403o
DELETE /api/v1/recognitions/{id}/reactions/{emoji} - | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 200       | 200   | 200      | 403o
POST /api/v1/recognitions/{id}/replies       - | 401  | 201    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 201    | 403o      | 401s      | 401s      | 401s    | 201       | 201   | 201      | 403o
DELETE /api/v1/replies/{id}                  - | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 403       | 403   | 403      | 403o
PATCH /api/v1/replies/{id}                   - | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/notifications                    - | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
POST /api/v1/notifications/seen              - | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 200       | 200   | 200      | 403o
POST /api/v1/grants                    -       | 401  | 201    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 201    | 403o      | 401s      | 401s      | 401s    | 201       | 201   | 201      | 403o
POST /api/v1/transactions              self    | 401  | 201    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 201    | 403o      | 401s      | 401s      | 401s    | 201       | 201   | 201      | 403o
POST /api/v1/transactions              other   | 401  | 201    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 201    | 403o      | 401s      | 401s      | 401s    | 201       | 201   | 201      | 403o
POST /api/v1/transactions              unknown | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 403o      | 401s      | 401s      | 401s    | 404       | 404   | 404      | 403o
GET /api/v1/transactions               -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200+  | 200+     | 200+
POST /api/v1/transactions/{id}/reversal -      | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 201   | 201      | 403o
GET /api/v1/allowances                 -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
POST /api/v1/allowances                -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 201   | 201      | 403o
GET /api/v1/allowances/{id}            -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
PATCH /api/v1/allowances/{id}          -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
DELETE /api/v1/allowances/{id}         -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/allowances/{id}/preview    -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/allowances/{id}/runs       -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
POST /api/v1/allowances/{id}/run       -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 201   | 201      | 403o
POST /api/v1/users/import              -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/transactions.csv           -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 200       | 200+  | 200+     | 403o
GET /api/v1/transactions.csv?username  self    | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/transactions.csv?username  other   | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/transactions.csv?username  unknown | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 403o      | 401s      | 401s      | 401s    | 404       | 404   | 404      | 403o
GET /api/v1/users.csv                  -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /transaction/                      -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200+  | 200+     | 200+
GET /transaction/{username}/           self    | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /transaction/{username}/           other   | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /transaction/{username}/           unknown | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 404       | 401s      | 401s      | 401s    | 404       | 404   | 404      | 404
GET /transaction/ws                    -       | 405  | 405    | 405   | 405     | 405   | 405     | 405    | 405      | 405   | 405    | 405       | 405       | 405       | 405     | 405       | 405   | 405      | 405
WebSocket /transaction/ws              -       | 101  | 101    | 101   | 101     | 101   | 101     | 101    | 101      | 101   | 101    | 403o      | 101       | 101       | 101     | 101       | 101   | 101      | 403o
WebSocket /transaction/ws with "auth"  -       | 401  | 101    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 101    | 403o      | 401s      | 401s      | 401s    | 101       | 101   | 101      | 403o
GET /openapi.json                      -       | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 200       | 200       | 200       | 200     | 200       | 200   | 200      | 200
GET /docs                              -       | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 200       | 200       | 200       | 200     | 200       | 200   | 200      | 200
GET /unsubscribe                       -       | 404  | 404    | 404   | 404     | 404   | 404     | 404    | 404      | 404   | 404    | 404       | 404       | 404       | 404     | 404       | 404   | 404      | 404
POST /unsubscribe                      -       | 404  | 404    | 404   | 404     | 404   | 404     | 404    | 404      | 404   | 404    | 403o      | 404       | 404       | 404     | 404       | 404   | 404      | 403o
GET /api/v1/service                    -       | 200  | 200    | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200    | 200       | 200       | 200       | 200     | 200       | 200   | 200      | 200
GET /api/v1/session                    -       | 200  | 200+   | 200   | 200     | 200   | 200     | 200    | 200      | 200   | 200+   | 200+      | 200       | 200       | 200     | 200+      | 200+  | 200+     | 200+
GET /api/v1/me                         -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
PATCH /api/v1/me                       -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 200       | 200   | 200      | 403o
PUT /api/v1/me/avatar                  -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 200       | 200   | 200      | 403o
DELETE /api/v1/me/avatar               -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 200       | 200   | 200      | 403o
GET /api/v1/avatars/{hash}             -       | 404  | 404    | 404   | 404     | 404   | 404     | 404    | 404      | 404   | 404    | 404       | 404       | 404       | 404     | 404       | 404   | 404      | 404
GET /api/v1/me/sessions                -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
DELETE /api/v1/me/sessions             -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 403o      | 401s      | 401s      | 401s    | 200       | 200   | 200      | 403o
DELETE /api/v1/me/sessions/{session}   -       | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 403o      | 401s      | 401s      | 401s    | 404       | 404   | 404      | 403o
GET /api/v1/people                     -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
GET /api/v1/departments                -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
GET /api/v1/people/{username}          self    | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
GET /api/v1/people/{username}          other   | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
GET /api/v1/people/{username}          unknown | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 404       | 401s      | 401s      | 401s    | 404       | 404   | 404      | 404
GET /api/v1/leaderboard                -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
GET /api/v1/stats                      -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200+  | 200+     | 200+
GET /api/v1/stats?scope=all            -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200+  | 200+     | 200+
GET /api/v1/insights/participation     -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/insights/participation.csv -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/insights/overlooked        -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/insights/overlooked.csv    -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/insights/budgets           -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/insights/budgets.csv       -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/insights/departments       -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/insights/departments.csv   -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/insights/tags              -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/insights/tags.csv          -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/users/{username}           self    | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/users/{username}           other   | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/users/{username}           unknown | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 404       | 401s      | 401s      | 401s    | 404       | 404   | 404      | 404
PATCH /api/v1/users/{username}         self    | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
PATCH /api/v1/users/{username}         other   | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
PATCH /api/v1/users/{username}         unknown | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 403o      | 401s      | 401s      | 401s    | 404       | 404   | 404      | 403o
POST /api/v1/users/{username}/erasure self     | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
POST /api/v1/users/{username}/erasure other    | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
POST /api/v1/users/{username}/erasure unknown  | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 403o      | 401s      | 401s      | 401s    | 404       | 404   | 404      | 403o
GET /api/v1/users/{username}/data self         | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/users/{username}/data other        | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/users/{username}/data unknown      | 401  | 404    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 404    | 404       | 401s      | 401s      | 401s    | 404       | 404   | 404      | 404
GET /api/v1/health                     -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403       | 401s      | 401s      | 401s    | 403       | 200   | 200      | 200
GET /api/v1/rewards                    -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200   | 200      | 200
POST /api/v1/rewards                   -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 201   | 201      | 403o
PATCH /api/v1/rewards/{id}             -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
PUT /api/v1/rewards/{id}/picture       -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
POST /api/v1/rewards/{id}/redemptions  -       | 401  | 201    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 201    | 403o      | 401s      | 401s      | 401s    | 201       | 400   | 400      | 403o
GET /api/v1/redemptions                -       | 401  | 200    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 200    | 200       | 401s      | 401s      | 401s    | 200       | 200+  | 200+     | 200+
POST /api/v1/redemptions/{id}/fulfilment -     | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
POST /api/v1/redemptions/{id}/rejection -      | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
GET /api/v1/redemptions.csv            -       | 401  | 403    | 401   | 401     | 401   | 401     | 401    | 401      | 401   | 403    | 403o      | 401s      | 401s      | 401s    | 403       | 200   | 200      | 403o
`
