/* Generated from the OpenAPI document by `bun run client:schema`. */

export interface paths {
    "/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log in for a pair of tokens */
        post: operations["postToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refresh_token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Renew a pair of tokens */
        post: operations["postRefresh_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log in for a session cookie */
        post: operations["postLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finish a log-in with a second factor */
        post: operations["postLoginSecond-factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log out of the session */
        post: operations["postLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oidc/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Log in at the provider; leads there */
        get: operations["getOidcLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finish a log-in that the provider sends back; leads into the app */
        get: operations["getOidcCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oidc/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Log out here, and at the provider if this session was opened there; leads there */
        get: operations["getOidcLogout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the users */
        get: operations["getUser"];
        put?: never;
        /** Create a user (superusers) */
        post: operations["postUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/{username}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a user */
        get: operations["getUserByUsername"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Overwrite avatar and bio (oneself, superusers) */
        patch: operations["patchUserByUsername"];
        trace?: never;
    };
    "/user/{username}/password/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a password (reset token, oneself, superusers) */
        post: operations["postUserByUsernamePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/pwd_reset_token/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a password reset by e-mail */
        post: operations["postUserPwd_reset_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/{username}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a user's transactions with the balance (that user, superusers) */
        get: operations["getTransactionByUsername"];
        put?: never;
        /**
         * Send points
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postTransactionByUsername"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List transactions (superusers all, others their own) */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ask whether to end mail about recognition */
        get: operations["getUnsubscribe"];
        put?: never;
        /** End mail about recognition, with the link of such a mail */
        post: operations["postUnsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/slack/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a slash command
         * @description Slack sends these requests. The answer is what Slack shows; it is empty if there is nothing to show.
         */
        post: operations["postIntegrationsSlackCommands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/slack/interactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a shortcut or a form
         * @description Slack sends these requests. The answer is what Slack shows; it is empty if there is nothing to show.
         */
        post: operations["postIntegrationsSlackInteractions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/integrations/mattermost/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a slash command
         * @description Mattermost sends this request. The answer is what Mattermost shows.
         */
        post: operations["postIntegrationsMattermostCommands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List recognitions, newest first */
        get: operations["getApiV1Feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Watch the feed (WebSocket) */
        get: operations["getApiV1Stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recognitions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a recognition with its replies */
        get: operations["getApiV1RecognitionsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recognitions/{id}/reactions/{emoji}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** React to a recognition */
        put: operations["putApiV1RecognitionsByIdReactionsByEmoji"];
        post?: never;
        /** Take a reaction back */
        delete: operations["deleteApiV1RecognitionsByIdReactionsByEmoji"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recognitions/{id}/points": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add points to a recognition
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1RecognitionsByIdPoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recognitions/{id}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply to a recognition
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1RecognitionsByIdReplies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/replies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a reply of yours */
        delete: operations["deleteApiV1RepliesById"];
        options?: never;
        head?: never;
        /** Hide a reply, or show it again */
        patch: operations["patchApiV1RepliesById"];
        trace?: never;
    };
    "/api/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your notifications, newest first */
        get: operations["getApiV1Notifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark notifications as seen */
        post: operations["postApiV1NotificationsSeen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/occasions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what is celebrated from one day to another */
        get: operations["getApiV1Occasions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send points to many, all or nothing
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1Grants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List transactions, newest first */
        get: operations["getApiV1Transactions"];
        put?: never;
        /**
         * Send points to one person, or thank several at once
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1Transactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}/reversal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take points back
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1TransactionsByIdReversal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/departments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the departments
         * @description Superusers and people with the duty `people` or `programme` count inactive people with `active`.
         */
        get: operations["getApiV1Departments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/departments/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename a department, or join it to another (superusers)
         * @description For superusers, and for people with the duty `programme`.
         */
        patch: operations["patchApiV1DepartmentsByName"];
        trace?: never;
    };
    "/api/v1/allowances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the allowances (superusers)
         * @description For superusers, and for people with the duty `programme`.
         */
        get: operations["getApiV1Allowances"];
        put?: never;
        /**
         * Add an allowance (superusers)
         * @description For superusers, and for people with the duty `programme`. With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1Allowances"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/allowances/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an allowance (superusers)
         * @description For superusers, and for people with the duty `programme`.
         */
        get: operations["getApiV1AllowancesById"];
        put?: never;
        post?: never;
        /**
         * Remove an allowance (superusers)
         * @description For superusers, and for people with the duty `programme`.
         */
        delete: operations["deleteApiV1AllowancesById"];
        options?: never;
        head?: never;
        /**
         * Change the given fields of an allowance (superusers)
         * @description For superusers, and for people with the duty `programme`.
         */
        patch: operations["patchApiV1AllowancesById"];
        trace?: never;
    };
    "/api/v1/allowances/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show who would get how much at the next run (superusers)
         * @description For superusers, and for people with the duty `programme`.
         */
        get: operations["getApiV1AllowancesByIdPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/allowances/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs, newest first (superusers)
         * @description For superusers, and for people with the duty `programme`.
         */
        get: operations["getApiV1AllowancesByIdRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/allowances/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay the period that has begun (superusers)
         * @description For superusers, and for people with the duty `programme`. With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1AllowancesByIdRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what can be redeemed
         * @description Superusers and people with the duty `rewards` see inactive rewards too.
         */
        get: operations["getApiV1Rewards"];
        put?: never;
        /**
         * Add a reward (superusers)
         * @description For superusers, and for people with the duty `rewards`. With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1Rewards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rewards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the given fields of a reward (superusers)
         * @description For superusers, and for people with the duty `rewards`.
         */
        patch: operations["patchApiV1RewardsById"];
        trace?: never;
    };
    "/api/v1/rewards/{id}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the picture of a reward (superusers)
         * @description For superusers, and for people with the duty `rewards`.
         */
        put: operations["putApiV1RewardsByIdPicture"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rewards/{id}/wish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Wish for a reward */
        put: operations["putApiV1RewardsByIdWish"];
        post?: never;
        /** Take a wish back */
        delete: operations["deleteApiV1RewardsByIdWish"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rewards/{id}/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem points for a reward
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1RewardsByIdRedemptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List redemptions, newest first
         * @description Superusers and people with the duty `rewards` see everybody's.
         */
        get: operations["getApiV1Redemptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/redemptions/{id}/fulfilment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a redemption as fulfilled (superusers)
         * @description For superusers, and for people with the duty `rewards`. With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1RedemptionsByIdFulfilment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/redemptions/{id}/rejection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a redemption, which returns the points (superusers)
         * @description For superusers, and for people with the duty `rewards`. With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1RedemptionsByIdRejection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/programme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the programme */
        get: operations["getApiV1Programme"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the given fields of the programme (superusers)
         * @description For superusers, and for people with the duty `programme`.
         */
        patch: operations["patchApiV1Programme"];
        trace?: never;
    };
    "/api/v1/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the recognition of those who report to you */
        get: operations["getApiV1Team"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look back at what you received and gave */
        get: operations["getApiV1Recap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recap/company": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look back at everybody's recognition
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1RecapCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks (superusers) */
        get: operations["getApiV1Webhooks"];
        put?: never;
        /**
         * Add a webhook; its secret is shown once (superusers)
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1Webhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a webhook (superusers) */
        get: operations["getApiV1WebhooksById"];
        put?: never;
        post?: never;
        /** Remove a webhook with its deliveries (superusers) */
        delete: operations["deleteApiV1WebhooksById"];
        options?: never;
        head?: never;
        /** Change the given fields; retries at once (superusers) */
        patch: operations["patchApiV1WebhooksById"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret, shown once; the old one signs too for 24 hours (superusers)
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1WebhooksByIdSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test now and say how it ended (superusers) */
        post: operations["postApiV1WebhooksByIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliveries that wait and the last 1000 finished ones, newest first (superusers) */
        get: operations["getApiV1WebhooksByIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all events since a time again (superusers)
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1WebhooksByIdReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the event of a delivery again (superusers)
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1DeliveriesByIdReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliveries/{id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give up a delivery that waits; those behind it are due at once (superusers) */
        post: operations["postApiV1DeliveriesByIdSkip"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events, oldest first (superusers) */
        get: operations["getApiV1Events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show public facts about this service */
        get: operations["getApiV1Service"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the current session with the caller's account; null without one */
        get: operations["getApiV1Session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your open sessions */
        get: operations["getApiV1MeSessions"];
        put?: never;
        post?: never;
        /** End all your other sessions and tokens, links in reset mails included */
        delete: operations["deleteApiV1MeSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["deleteApiV1MeSessionsBySession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your API tokens */
        get: operations["getApiV1Tokens"];
        put?: never;
        /**
         * Create an API token; its secret is shown only now
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1Tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke one of your API tokens */
        delete: operations["deleteApiV1TokensById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the service tokens (superusers) */
        get: operations["getApiV1Service-tokens"];
        put?: never;
        /**
         * Create a token for a program that acts for an account (superusers)
         * @description With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1Service-tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a service token (superusers) */
        delete: operations["deleteApiV1Service-tokensById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the devices on which you get notifications */
        get: operations["getApiV1MePush"];
        put?: never;
        /** Get notifications in a browser */
        post: operations["postApiV1MePush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/push/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Get no more notifications on a device */
        delete: operations["deleteApiV1MePushById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your second factors */
        get: operations["getApiV1MeSecond-factors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to add a passkey */
        post: operations["postApiV1MePasskeysOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a passkey */
        post: operations["postApiV1MePasskeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to set up an app for one-time codes */
        post: operations["postApiV1MeTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/totp/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm one-time codes by a first one */
        post: operations["postApiV1MeTotpConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/second-factors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a second factor */
        delete: operations["deleteApiV1MeSecond-factorsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the recovery codes; the old ones stop working */
        post: operations["postApiV1MeRecovery-codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{username}/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove the second factors of somebody who lost theirs, and log them out (superusers) */
        delete: operations["deleteApiV1UsersByUsernameSecond-factors"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show your account */
        get: operations["getApiV1Me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the given fields of your profile */
        patch: operations["patchApiV1Me"];
        trace?: never;
    };
    "/api/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your password */
        post: operations["postApiV1MePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Upload your avatar */
        put: operations["putApiV1MeAvatar"];
        post?: never;
        /** Remove your avatar */
        delete: operations["deleteApiV1MeAvatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/avatars/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download an uploaded avatar */
        get: operations["getApiV1AvatarsByHash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find people
         * @description Superusers and people with the duty `people` find inactive people with `active`.
         */
        get: operations["getApiV1People"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what a person received and sent */
        get: operations["getApiV1PeopleByUsername"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download transactions (superusers all, others their own) */
        get: operations["getApiV1Transactions.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download everybody, with the balances (superusers)
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1Users.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/redemptions.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all redemptions, newest first (superusers)
         * @description For superusers, and for people with the duty `rewards` or `insights`.
         */
        get: operations["getApiV1Redemptions.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Suggest people to thank */
        get: operations["getApiV1Suggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your own templates of reasons */
        get: operations["getApiV1MeTemplates"];
        /** Replace your own templates of reasons */
        put: operations["putApiV1MeTemplates"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create and change people from a CSV file, all or nothing
         * @description For superusers, and for people with the duty `people`. With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1UsersImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who received or sent most, for those to whom the programme shows it */
        get: operations["getApiV1Leaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Points a day */
        get: operations["getApiV1Stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what a wall shows */
        get: operations["getApiV1Wall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/participation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many people thanked and were thanked in each month
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsParticipation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/overlooked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who was not thanked
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsOverlooked"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is left of each person's budget
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsBudgets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/departments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which department thanks which
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsDepartments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How often each tag was given in each month
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/participation.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many people thanked and were thanked in each month, as a file
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsParticipation.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/overlooked.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who was not thanked, as a file
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsOverlooked.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/budgets.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is left of each person's budget, as a file
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsBudgets.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/departments.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which department thanks which, as a file
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsDepartments.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/tags.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How often each tag was given in each month, as a file
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsTags.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was done, newest first (superusers) */
        get: operations["getApiV1Audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download what was done, newest first (superusers) */
        get: operations["getApiV1Audit.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/outstanding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What people held at the end of a day
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsOutstanding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/outstanding/monthly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Points outstanding at the end of each month
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsOutstandingMonthly"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/outstanding.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What people held at the end of a day, as a file
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsOutstanding.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/insights/outstanding/monthly.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Points outstanding at the end of each month, as a file
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1InsightsOutstandingMonthly.csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recap.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Look back at what you received and gave, as a picture */
        get: operations["getApiV1Recap.png"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recap/company.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look back at everybody's recognition, as a picture
         * @description For superusers, and for people with the duty `insights`.
         */
        get: operations["getApiV1RecapCompany.png"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account without a password, and invite its owner
         * @description For superusers, and for people with the duty `people`. With the header `Idempotency-Key` (1 to 255 printable ASCII characters), the same request takes effect once in 24 hours, however often it is sent, with the same answer. A refused request leaves its key free.
         */
        post: operations["postApiV1Users"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show all of an account (superusers)
         * @description For superusers, and for people with the duty `people`.
         */
        get: operations["getApiV1UsersByUsername"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Correct an account, deactivate or reactivate it (superusers)
         * @description For superusers, and for people with the duty `people`.
         */
        patch: operations["patchApiV1UsersByUsername"];
        trace?: never;
    };
    "/api/v1/users/{username}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export everything stored about a person */
        get: operations["getApiV1UsersByUsernameData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{username}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Erase what is stored about somebody who left (superusers) */
        post: operations["postApiV1UsersByUsernameErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the state of this server (superusers) */
        get: operations["getApiV1Health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or find users */
        get: operations["getScimV2Users"];
        put?: never;
        /** Create a user */
        post: operations["postScimV2Users"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a user */
        get: operations["getScimV2UsersById"];
        /** Replace a user */
        put: operations["putScimV2UsersById"];
        post?: never;
        /** Deactivate a user */
        delete: operations["deleteScimV2UsersById"];
        options?: never;
        head?: never;
        /** Change a user */
        patch: operations["patchScimV2UsersById"];
        trace?: never;
    };
    "/scim/v2/ServiceProviderConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this service supports of SCIM */
        get: operations["getScimV2ServiceProviderConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the schemas */
        get: operations["getScimV2Schemas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Schemas/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a schema */
        get: operations["getScimV2SchemasById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/ResourceTypes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the types of resources */
        get: operations["getScimV2ResourceTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/ResourceTypes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a type of resources */
        get: operations["getScimV2ResourceTypesById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "transaction.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to the webhooks that ask for transaction.created */
        post: operations["transaction.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to the webhooks that ask for transaction.reversed */
        post: operations["transaction.reversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to the webhooks that ask for user.created */
        post: operations["user.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to the webhooks that ask for user.updated */
        post: operations["user.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.deactivated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to the webhooks that ask for user.deactivated */
        post: operations["user.deactivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "occasion.celebrated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to the webhooks that ask for occasion.celebrated */
        post: operations["occasion.celebrated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "redemption.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to the webhooks that ask for redemption.requested */
        post: operations["redemption.requested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "redemption.fulfilled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to the webhooks that ask for redemption.fulfilled */
        post: operations["redemption.fulfilled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "redemption.declined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to the webhooks that ask for redemption.declined */
        post: operations["redemption.declined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Error: {
            detail: string;
        };
        CodedError: {
            /** @description for people */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            /** @description the field of the request that is wrong, if it is one */
            field?: string;
        };
        /**
         * @description which error it is; the header `Error-Code` of every error has it too
         * @enum {string}
         */
        ErrorCode: "passwords_differ" | "wrong_password" | "insufficient_balance" | "not_redeemable" | "malformed_json" | "malformed_form" | "unfinished_body" | "malformed_host" | "malformed_path" | "malformed_upgrade" | "bad_login" | "bad_credentials" | "second_factor_required" | "bad_second_factor" | "challenge_ended" | "bad_session" | "bad_signature" | "bad_command_token" | "session_user_missing" | "second_factor_missing" | "login_not_recent" | "not_superuser" | "address_fixed" | "beyond_scope" | "not_own_profile" | "not_own_data" | "not_own_password" | "not_own_transactions" | "not_own_redemptions" | "not_own_reply" | "foreign_origin" | "not_a_download" | "user_not_found" | "dept_not_found" | "session_not_found" | "token_not_found" | "factor_not_found" | "device_not_found" | "transaction_not_found" | "reward_not_found" | "redemption_not_found" | "allowance_not_found" | "recognition_not_found" | "no_leaderboard" | "reply_not_found" | "webhook_not_found" | "delivery_not_found" | "not_found" | "method_not_allowed" | "username_taken" | "username_lookalike" | "name_lookalike" | "dept_exists" | "manager_cycle" | "dept_being_paid" | "external_id_taken" | "email_taken" | "factor_needed" | "no_factor" | "no_setup" | "too_many_factors" | "passkey_known" | "passkeys_unusable" | "still_active" | "erased" | "key_reused" | "reference_reused" | "answer_lost" | "too_many_tokens" | "too_many_devices" | "nothing_to_reverse" | "beyond_what_is_left" | "not_reversible" | "out_of_stock" | "limit_reached" | "most_to_one" | "too_many_kinds" | "not_requested" | "own_request" | "not_replayable" | "not_waiting" | "taken_back" | "period_paid" | "no_period" | "programme_changed" | "body_too_large" | "unsupported_media_type" | "balance_out_of_range" | "invalid" | "private" | "own_recognition" | "other_websocket_version" | "too_many_failures" | "too_many_transfers" | "too_many_writes" | "too_many_replies" | "too_many_reactions" | "too_many_at_once" | "too_many_exports" | "integrity" | "unexpected" | "not_ready" | "busy" | "unwritable" | "unavailable" | "overloaded" | "too_many_streams" | "outcome_unknown";
        Message: {
            message: string;
        };
        Status: {
            status: string;
        };
        /** @description the password is right; a second factor finishes the log-in */
        SecondFactorChallenge: {
            second_factor: ("passkey" | "totp" | "recovery")[];
            /** @description for POST /login/second-factor, within five minutes */
            challenge: string;
            /** @description options for `navigator.credentials.get`, as JSON */
            passkey?: {
                [key: string]: unknown;
            };
        };
        Token: {
            access_token: string;
            refresh_token: string;
            /** @constant */
            token_type: "bearer";
        };
        UserResponse: {
            name: string;
            username: string;
            dept: string;
            /** @description address of an image */
            avatar: string | null;
            /** @description text */
            bio: string | null;
            currency: string;
        };
        UserResponseWithBalance: {
            name: string;
            username: string;
            dept: string;
            /** @description address of an image */
            avatar: string | null;
            /** @description text */
            bio: string | null;
            currency: string;
            /** @description points */
            balance: number;
        };
        TransactionResponse: {
            id: number;
            /** @description points */
            value: number;
            /**
             * @description UTC, ISO 8601, no zone
             * @example 2026-11-21T12:00:00.123
             */
            date: string;
            /** @description user name of the receiver */
            user: string;
            /** @description user name of the sender */
            from_user: string;
            user_id: number;
            from_id: number;
        };
        Page: {
            items: components["schemas"]["TransactionResponse"][];
            total: number;
            page: number;
            size: number;
        };
        PageWithBalance: {
            items: components["schemas"]["TransactionResponse"][];
            total: number;
            page: number;
            size: number;
            /** @description points */
            balance: number;
        };
        Recognition: {
            /** @description negative for an occasion; `next` and `through` continue in the order of the feed */
            id: number;
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            /** @description points for each receiver; null where the programme hides them */
            value: number | null;
            /** @description what is celebrated; null for recognition. Nobody sent an occasion, and it may have 0 points */
            occasion: {
                kind: "birthday" | "anniversary" | "first_day";
                /** @description of an anniversary; null otherwise */
                years: number | null;
            } | null;
            /** @description points for all receivers together; null where the programme hides them */
            total: number | null;
            from_username: string;
            from_name: string;
            /** @description address of an image */
            from_avatar: string | null;
            /** @description the first receiver */
            to_username: string;
            to_name: string;
            /** @description address of an image */
            to_avatar: string | null;
            /** @description everybody who was thanked; each got `value` points */
            receivers: {
                username: string;
                name: string;
                /** @description address of an image */
                avatar: string | null;
                /** @description points that were taken back from this person; null where the programme hides them */
                reversed: number | null;
                /** @description whether all of them were */
                taken_back: boolean;
            }[];
            /** @description text; null when there is none or the caller may not read it */
            reason: string | null;
            tags: string[];
            /** @description whether only the sender and the receivers may read the reason */
            private: boolean;
            /** @description points that were taken back from all of them together; null where the programme hides them */
            reversed: number | null;
            /** @description whether all of them were */
            taken_back: boolean;
            /** @description what others added to it, less what was taken back */
            added: {
                /** @description points for each receiver; null where the programme hides them */
                value: number | null;
                /** @description by how many people */
                count: number;
                /** @description whether you are one of them; false where an answer is the same for everybody */
                own: boolean;
            };
            reactions: {
                /** @description one emoji */
                emoji: string;
                count: number;
                /** @description whether you are one of them */
                own: boolean;
            }[];
            /** @description how many there are */
            replies: number;
        };
        StreamedRecognition: {
            /** @description negative for an occasion; `next` and `through` continue in the order of the feed */
            id: number;
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            /** @description points for each receiver; null where the programme hides them */
            value: number | null;
            /** @description what is celebrated; null for recognition. Nobody sent an occasion, and it may have 0 points */
            occasion: {
                kind: "birthday" | "anniversary" | "first_day";
                /** @description of an anniversary; null otherwise */
                years: number | null;
            } | null;
            /** @description points for all receivers together; null where the programme hides them */
            total: number | null;
            from_username: string;
            from_name: string;
            /** @description address of an image */
            from_avatar: string | null;
            /** @description the first receiver */
            to_username: string;
            to_name: string;
            /** @description address of an image */
            to_avatar: string | null;
            /** @description everybody who was thanked; each got `value` points */
            receivers: {
                username: string;
                name: string;
                /** @description address of an image */
                avatar: string | null;
                /** @description points that were taken back from this person; null where the programme hides them */
                reversed: number | null;
                /** @description whether all of them were */
                taken_back: boolean;
            }[];
            /** @description text; null when there is none or the caller may not read it */
            reason: string | null;
            tags: string[];
            /** @description whether only the sender and the receivers may read the reason */
            private: boolean;
            /** @description points that were taken back from all of them together; null where the programme hides them */
            reversed: number | null;
            /** @description whether all of them were */
            taken_back: boolean;
            /** @description what others added to it, less what was taken back */
            added: {
                /** @description points for each receiver; null where the programme hides them */
                value: number | null;
                /** @description by how many people */
                count: number;
                /** @description whether you are one of them; false where an answer is the same for everybody */
                own: boolean;
            };
        };
        Reply: {
            id: number;
            /** @description the author */
            username: string;
            name: string;
            /** @description address of an image */
            avatar: string | null;
            text: string;
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            /** @description whether only superusers and the author see it */
            hidden: boolean;
        };
        Conversation: {
            /** @description negative for an occasion; `next` and `through` continue in the order of the feed */
            id: number;
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            /** @description points for each receiver; null where the programme hides them */
            value: number | null;
            /** @description what is celebrated; null for recognition. Nobody sent an occasion, and it may have 0 points */
            occasion: {
                kind: "birthday" | "anniversary" | "first_day";
                /** @description of an anniversary; null otherwise */
                years: number | null;
            } | null;
            /** @description points for all receivers together; null where the programme hides them */
            total: number | null;
            from_username: string;
            from_name: string;
            /** @description address of an image */
            from_avatar: string | null;
            /** @description the first receiver */
            to_username: string;
            to_name: string;
            /** @description address of an image */
            to_avatar: string | null;
            /** @description everybody who was thanked; each got `value` points */
            receivers: {
                username: string;
                name: string;
                /** @description address of an image */
                avatar: string | null;
                /** @description points that were taken back from this person; null where the programme hides them */
                reversed: number | null;
                /** @description whether all of them were */
                taken_back: boolean;
            }[];
            /** @description text; null when there is none or the caller may not read it */
            reason: string | null;
            tags: string[];
            /** @description whether only the sender and the receivers may read the reason */
            private: boolean;
            /** @description points that were taken back from all of them together; null where the programme hides them */
            reversed: number | null;
            /** @description whether all of them were */
            taken_back: boolean;
            /** @description what others added to it, less what was taken back */
            added: {
                /** @description points for each receiver; null where the programme hides them */
                value: number | null;
                /** @description by how many people */
                count: number;
                /** @description whether you are one of them; false where an answer is the same for everybody */
                own: boolean;
            };
            reactions: {
                /** @description one emoji */
                emoji: string;
                count: number;
                /** @description whether you are one of them */
                own: boolean;
            }[];
            /** @description how many there are */
            replies: number;
            replies_list: components["schemas"]["Reply"][];
        };
        FeedPage: {
            items: components["schemas"]["Recognition"][];
            /** @description the parameter `before` of the next page */
            next: number | null;
            /** @description the parameter `after` of the stream that continues from here */
            through: number;
        };
        FeedMessage: components["schemas"]["StreamedRecognition"] | {
            /** @description everything up to this id was sent */
            through: number;
            changed: components["schemas"]["StreamedRecognition"];
        } | {
            /** @description everything up to this id was sent; also shows that the connection is alive */
            through: number;
            /**
             * @description the programme has changed since you read it
             * @constant
             */
            programme?: "changed";
        };
        Notification: {
            /** @description ascends with time */
            id: number;
            type: "recognition" | "addition" | "reply" | "occasion";
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            seen: boolean;
            recognition: components["schemas"]["StreamedRecognition"];
            /** @description who added points, and how many you got */
            addition: {
                username: string;
                name: string;
                /** @description address of an image */
                avatar: string | null;
                /** @description points */
                value: number;
            } | null;
            reply: components["schemas"]["Reply"] | null;
        };
        NotificationPage: {
            items: components["schemas"]["Notification"][];
            /** @description the parameter `before` of the next page */
            next: number | null;
            /** @description notifications that are not seen; 100 for more */
            unread: number;
        };
        Unread: {
            /** @description notifications that are not seen; 100 for more */
            unread: number;
        };
        OccasionList: {
            /** @description by day; birthdays only of people who agreed to it */
            items: {
                /** Format: date */
                date: string;
                username: string;
                name: string;
                /** @description department */
                dept: string;
                /** @description address of an image, or a path of this server */
                avatar: string | null;
                kind: "birthday" | "anniversary" | "first_day";
                /** @description of an anniversary; null otherwise */
                years: number | null;
            }[];
            /** @description the parameter `after` of the next page; null at the end */
            next: string | null;
        };
        Grant: {
            receivers: {
                name: string;
                username: string;
            }[];
            /** @description points for each receiver */
            value: number;
            /** @description points */
            total: number;
            /** @description balance of the giver afterwards */
            left: number;
            /** @description ids of the transactions, in the order of the receivers; empty for a dry run */
            ids: number[];
            /** @description whether it was done earlier under the same `Idempotency-Key` or `reference` */
            replayed: boolean;
            /** @description the details of `refusals` */
            against: string[];
            /** @description why it would be refused; only in a dry run */
            refusals: components["schemas"]["CodedError"][];
        };
        Allowance: {
            id: number;
            name: string;
            /** @description points */
            value: number;
            /**
             * @description one of add, top_up, reset
             * @enum {string}
             */
            mode: "add" | "top_up" | "reset";
            /**
             * @description one of day, week, month, quarter
             * @enum {string}
             */
            period: "day" | "week" | "month" | "quarter";
            /** @description the weekday from 1 (Monday) to 7, or the day of the month or of the quarter's first month, 1 to 28 or "last" */
            on?: number | string | null;
            /** @description HH:MM in the time zone of the service */
            at: string;
            /** @description one of the three; none if the stored audience is damaged, and nothing is paid */
            audience: {
                everyone?: boolean;
                dept?: string;
                usernames?: string[];
            };
            /** @description stored with each transaction */
            reason: string | null;
            /** @description first day, YYYY-MM-DD */
            starts_on: string | null;
            /** @description last day, YYYY-MM-DD */
            ends_on: string | null;
            /**
             * @description one of latest, none
             * @enum {string}
             */
            catch_up: "latest" | "none";
            active: boolean;
            /** @description when the next period is paid; null when none is */
            next_run: string | null;
            /** @description when the newest run began */
            last_run: string | null;
        };
        AllowanceList: {
            items: components["schemas"]["Allowance"][];
        };
        AllowancePreview: {
            /** @description when the next period is paid; null when none is */
            run_at: string | null;
            /** @description points */
            total: number;
            /** @description points of the budget that go back to `admin` before */
            expired: number;
            items: {
                username: string;
                name: string;
                /** @description points; null for those who see no balances, where it would tell the person's budget */
                value: number | null;
                /** @description points of the budget that go back to `admin` before; null for those who see no balances, where it would tell the person's budget */
                expired: number | null;
            }[];
        };
        AllowanceRun: {
            id: number;
            /** @description the first day of the period, YYYY-MM-DD */
            period: string;
            /**
             * @description when it began
             * @example 2026-11-21T12:00:00.123Z
             */
            time: string;
            /** @description how many people got points */
            people: number;
            /** @description points */
            sum: number;
            /** @description points of the budget that go back to `admin` before */
            expired: number;
            finished: boolean;
        };
        AllowanceRunPage: {
            items: components["schemas"]["AllowanceRun"][];
            /** @description the parameter `before` of the next page */
            next: string | null;
        };
        TransactionEntry: {
            id: number;
            kind: "transfer" | "grant" | "allowance" | "expiry" | "redemption" | "refund" | "reversal" | "occasion";
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            /** @description points */
            value: number;
            from: {
                username: string;
                name: string;
            };
            to: {
                username: string;
                name: string;
            };
            /** @description text; null when there is none or the caller may not read it */
            reason: string | null;
            tags: string[];
            /** @description whether only sender and receiver may read the reason */
            private: boolean;
            /** @description of a reversal, the id of the transaction whose points it takes back */
            reverses: number | null;
            /** @description points that were taken back */
            reversed: number;
            /** @description of a transfer that thanks several people at once, the id of the first of these transfers */
            group: number | null;
            /** @description of a transfer that adds points to somebody's recognition, the id of that recognition */
            adds_to: number | null;
            /** @description what the sender called the request; null when it has no reference, for others than the sender and superusers */
            reference: string | null;
        };
        TransactionEntryPage: {
            items: components["schemas"]["TransactionEntry"][];
            /** @description the parameter `before` of the next page */
            next: string | null;
        };
        SentTransaction: {
            id: number;
            kind: "transfer" | "grant" | "allowance" | "expiry" | "redemption" | "refund" | "reversal" | "occasion";
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            /** @description points */
            value: number;
            from: {
                username: string;
                name: string;
            };
            to: {
                username: string;
                name: string;
            };
            /** @description text; null when there is none or the caller may not read it */
            reason: string | null;
            tags: string[];
            /** @description whether only sender and receiver may read the reason */
            private: boolean;
            /** @description of a reversal, the id of the transaction whose points it takes back */
            reverses: number | null;
            /** @description points that were taken back */
            reversed: number;
            /** @description of a transfer that thanks several people at once, the id of the first of these transfers */
            group: number | null;
            /** @description of a transfer that adds points to somebody's recognition, the id of that recognition */
            adds_to: number | null;
            /** @description what the sender called the request; null when it has no reference, for others than the sender and superusers */
            reference: string | null;
            /** @description whether it was done earlier under the same `Idempotency-Key` or `reference` */
            replayed: boolean;
        };
        SentThanks: {
            /** @description in the order of `to` */
            items: components["schemas"]["TransactionEntry"][];
            /** @description the id of the first */
            group: number;
            /** @description whether it was done earlier under the same `Idempotency-Key` or `reference` */
            replayed: boolean;
        };
        AddedPoints: {
            /** @description in the order of the receivers */
            items: components["schemas"]["TransactionEntry"][];
            /** @description whether it was done earlier under the same `Idempotency-Key` or `reference` */
            replayed: boolean;
        };
        Reversal: {
            id: number;
            kind: "transfer" | "grant" | "allowance" | "expiry" | "redemption" | "refund" | "reversal" | "occasion";
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            /** @description points */
            value: number;
            from: {
                username: string;
                name: string;
            };
            to: {
                username: string;
                name: string;
            };
            /** @description text; null when there is none or the caller may not read it */
            reason: string | null;
            tags: string[];
            /** @description whether only sender and receiver may read the reason */
            private: boolean;
            /** @description of a reversal, the id of the transaction whose points it takes back */
            reverses: number | null;
            /** @description points that were taken back */
            reversed: number;
            /** @description of a transfer that thanks several people at once, the id of the first of these transfers */
            group: number | null;
            /** @description of a transfer that adds points to somebody's recognition, the id of that recognition */
            adds_to: number | null;
            /** @description what the sender called the request; null when it has no reference, for others than the sender and superusers */
            reference: string | null;
            /** @description whether it was done earlier under the same `Idempotency-Key` or `reference` */
            replayed: boolean;
        };
        Reward: {
            id: number;
            /** @description 1 to 100 characters */
            name: string;
            /** @description at most 1000 characters */
            description: string | null;
            /** @description points */
            cost: number;
            /** @description how many are left; null: as many as are asked for */
            stock: number | null;
            /** @description how many one person may redeem; null: no limit */
            limit_per_person: number | null;
            /** @description whether members see it and can redeem it */
            active: boolean;
            /** @description what it is worth in the programme's currency, with at most three decimals; null: not said */
            money_value: number | null;
            /** @description whether whoever gets it has to pay tax on it */
            taxable: boolean;
            /** @description one emoji, as the cover in place of a picture */
            emoji: string | null;
            /** @description path of an image on this server */
            picture: string | null;
        };
        OfferedReward: {
            id: number;
            /** @description 1 to 100 characters */
            name: string;
            /** @description at most 1000 characters */
            description: string | null;
            /** @description points */
            cost: number;
            /** @description how many are left; null: as many as are asked for */
            stock: number | null;
            /** @description how many one person may redeem; null: no limit */
            limit_per_person: number | null;
            /** @description whether members see it and can redeem it */
            active: boolean;
            /** @description what it is worth in the programme's currency, with at most three decimals; null: not said */
            money_value: number | null;
            /** @description whether whoever gets it has to pay tax on it */
            taxable: boolean;
            /** @description one emoji, as the cover in place of a picture */
            emoji: string | null;
            /** @description path of an image on this server */
            picture: string | null;
            /** @description whether the caller's redeemable points cover the cost */
            affordable: boolean;
            /** @description how many the caller has redeemed, declined ones left out */
            redeemed: number;
            /** @description whether the caller wishes for it */
            wished: boolean;
            /** @description how many active people wish for it; null for those who do not maintain rewards */
            wishes: number | null;
        };
        Rewards: {
            items: components["schemas"]["OfferedReward"][];
        };
        Redemption: {
            id: number;
            /** @description id of the reward */
            reward: number;
            /** @description as it was at that time */
            reward_name: string;
            username: string;
            name: string;
            /** @description points */
            cost: number;
            state: "requested" | "fulfilled" | "declined";
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            /** @description text */
            comment: string | null;
            /** @description text */
            answer: string | null;
            /** @description UTC, ISO 8601 */
            answered_at: string | null;
            /** @description id of the transaction that took the points */
            transaction: number;
        };
        PlacedRedemption: {
            id: number;
            /** @description id of the reward */
            reward: number;
            /** @description as it was at that time */
            reward_name: string;
            username: string;
            name: string;
            /** @description points */
            cost: number;
            state: "requested" | "fulfilled" | "declined";
            /**
             * @description UTC, ISO 8601
             * @example 2026-11-21T12:00:00.123Z
             */
            date: string;
            /** @description text */
            comment: string | null;
            /** @description text */
            answer: string | null;
            /** @description UTC, ISO 8601 */
            answered_at: string | null;
            /** @description id of the transaction that took the points */
            transaction: number;
            /** @description whether it was done earlier under the same `Idempotency-Key` */
            replayed: boolean;
        };
        RedemptionPage: {
            items: components["schemas"]["Redemption"][];
            /** @description the parameter `before` of the next page */
            next: string | null;
        };
        Programme: {
            /** @description what people call points */
            points_name: {
                /** @description 1 to 30 characters */
                one: string;
                /** @description 1 to 30 characters */
                many: string;
            };
            /** @description what the give box offers, 1 to 8 different values */
            amounts: number[];
            /**
             * @description whether a transfer needs a reason; the contract's endpoint never asks for one
             * @enum {string}
             */
            reason: "optional" | "required";
            /** @description how many characters a reason has at least */
            reason_min: number;
            /**
             * @description whether a transfer needs a tag; the contract's endpoint never asks for one
             * @enum {string}
             */
            tag: "optional" | "required";
            /**
             * @description whether members see everybody's amounts, or only those that concern them
             * @enum {string}
             */
            amounts_shown: "everyone" | "concerned";
            /**
             * @description who sees the leaderboards
             * @enum {string}
             */
            leaderboard: "everyone" | "superusers" | "off";
            /**
             * @description what members can give: their whole balance, or its giving part
             * @enum {string}
             */
            give_from: "balance" | "budget";
            /** @description tags that a transfer may carry */
            tags: {
                /** @description 1 to 32 characters without spaces and commas */
                name: string;
                /** @description one emoji */
                emoji: string | null;
                /** @description at most 200 characters */
                description: string | null;
            }[];
            /** @description what one member may give one person within a period */
            most_to_one: {
                /** @description null: there is no limit */
                points: number | null;
                /**
                 * @description period of the calendar
                 * @enum {string}
                 */
                period: "week" | "month" | "quarter";
            };
            occasions: {
                birthday: {
                    /** @description points that the person gets; 0: none */
                    points: number;
                    /** @description 1 to 500 characters; `{name}` is the person, `{years}` an anniversary's number */
                    text: string;
                    /** @description whether it is celebrated */
                    active: boolean;
                };
                anniversary: {
                    /** @description points that the person gets; 0: none */
                    points: number;
                    /** @description 1 to 500 characters; `{name}` is the person, `{years}` an anniversary's number */
                    text: string;
                    /** @description whether it is celebrated */
                    active: boolean;
                };
                first_day: {
                    /** @description points that the person gets; 0: none */
                    points: number;
                    /** @description 1 to 500 characters; `{name}` is the person, `{years}` an anniversary's number */
                    text: string;
                    /** @description whether it is celebrated */
                    active: boolean;
                };
            };
            /** @description what a point is worth in money; null: nothing is said */
            point_value: ({
                /** @description with at most six decimals */
                amount: number;
                /**
                 * @description the code of a currency
                 * @example EUR
                 */
                currency: string;
            } & {
                [key: string]: unknown;
            }) | null;
        };
        Webhook: {
            id: number;
            /** @description https, at most 2048 characters */
            url: string;
            /** @description some of transaction.created, transaction.reversed, user.created, user.updated, user.deactivated, occasion.celebrated, redemption.requested, redemption.fulfilled, redemption.declined; empty for all */
            events: ("transaction.created" | "transaction.reversed" | "user.created" | "user.updated" | "user.deactivated" | "occasion.celebrated" | "redemption.requested" | "redemption.fulfilled" | "redemption.declined")[];
            /**
             * @description all but the first get only recognitions, as chat messages
             * @default standard
             * @enum {string}
             */
            format: "standard" | "slack" | "teams" | "discord";
            /** @description at most 100 characters */
            description: string | null;
            active: boolean;
            /** @description the first attempt that failed since the last success; null when it does not fail */
            failing_since: string | null;
            /** @description when it is tried again; null when it does not fail or is not active */
            retry_at: string | null;
            /** @description the last delivery that succeeded */
            last_success_at: string | null;
            /** @description why the server deactivated it */
            stopped_because: string | null;
        };
        WebhookList: {
            items: components["schemas"]["Webhook"][];
        };
        NewWebhook: {
            id: number;
            /** @description https, at most 2048 characters */
            url: string;
            /** @description some of transaction.created, transaction.reversed, user.created, user.updated, user.deactivated, occasion.celebrated, redemption.requested, redemption.fulfilled, redemption.declined; empty for all */
            events: ("transaction.created" | "transaction.reversed" | "user.created" | "user.updated" | "user.deactivated" | "occasion.celebrated" | "redemption.requested" | "redemption.fulfilled" | "redemption.declined")[];
            /**
             * @description all but the first get only recognitions, as chat messages
             * @default standard
             * @enum {string}
             */
            format: "standard" | "slack" | "teams" | "discord";
            /** @description at most 100 characters */
            description: string | null;
            active: boolean;
            /** @description the first attempt that failed since the last success; null when it does not fail */
            failing_since: string | null;
            /** @description when it is tried again; null when it does not fail or is not active */
            retry_at: string | null;
            /** @description the last delivery that succeeded */
            last_success_at: string | null;
            /** @description why the server deactivated it */
            stopped_because: string | null;
            /**
             * @description signs the deliveries (Standard Webhooks)
             * @example whsec_…
             */
            secret: string;
        };
        Delivery: {
            id: number;
            /** @description id of the webhook */
            webhook: number;
            /** @description id of the event; null for a test */
            event: number | null;
            state: "waiting" | "delivered" | "failed" | "skipped";
            attempts: number;
            /**
             * @description when it was first attempted, or asked for
             * @example 2026-11-21T12:00:00.123Z
             */
            created_at: string;
            /** @description the last attempt */
            attempted_at: string | null;
            /** @description how long it took */
            duration_ms: number | null;
            /** @description HTTP status of the answer */
            status: number | null;
            /** @description the beginning of the answer, at most 4 KiB */
            response: string | null;
            /** @description what went wrong */
            error: string | null;
        };
        DeliveryPage: {
            items: components["schemas"]["Delivery"][];
            /** @description the parameter `before` of the next page */
            next: string | null;
        };
        EventPage: {
            items: {
                /** @description the header `webhook-id` of its deliveries */
                id: number;
                type: "transaction.created" | "transaction.reversed" | "user.created" | "user.updated" | "user.deactivated" | "occasion.celebrated" | "redemption.requested" | "redemption.fulfilled" | "redemption.declined";
                /**
                 * @description when it happened
                 * @example 2026-11-21T12:00:00.123Z
                 */
                timestamp: string;
                data: {
                    id: number;
                    kind: "transfer" | "grant" | "allowance" | "expiry" | "redemption" | "refund" | "reversal" | "occasion";
                    /**
                     * @description UTC, ISO 8601
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    date: string;
                    /** @description points */
                    value: number;
                    from: {
                        username: string;
                        name: string;
                    };
                    to: {
                        username: string;
                        name: string;
                    };
                    /** @description text; null when there is none or the caller may not read it */
                    reason: string | null;
                    tags: string[];
                    /** @description whether only sender and receiver may read the reason */
                    private: boolean;
                    /** @description of a reversal, the id of the transaction whose points it takes back */
                    reverses: number | null;
                    /** @description points that were taken back */
                    reversed: number;
                    /** @description of a transfer that thanks several people at once, the id of the first of these transfers */
                    group: number | null;
                    /** @description of a transfer that adds points to somebody's recognition, the id of that recognition */
                    adds_to: number | null;
                } | {
                    /** @description stays when an erasure changes the user name */
                    id: number;
                    username: string;
                    name: string;
                    email: string;
                    /** @description department */
                    dept: string;
                    active: boolean;
                } | {
                    /** @description of its entry in the feed */
                    id: number;
                    kind: "birthday" | "anniversary" | "first_day";
                    /** @description of an anniversary; null otherwise */
                    years: number | null;
                    person: {
                        username: string;
                        name: string;
                    };
                    /** @description points; 0 for none */
                    value: number;
                    /** @description what the feed says */
                    text: string | null;
                } | {
                    id: number;
                    /** @description id of the reward */
                    reward: number;
                    /** @description as it was at that time */
                    reward_name: string;
                    username: string;
                    name: string;
                    /** @description points */
                    cost: number;
                    state: "requested" | "fulfilled" | "declined";
                    /**
                     * @description UTC, ISO 8601
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    date: string;
                    /** @description text */
                    comment: string | null;
                    /** @description text */
                    answer: string | null;
                    /** @description id of the transaction that took the points */
                    transaction: number;
                };
            }[];
            /** @description the parameter `after` of the next request */
            next: string;
        };
        Service: {
            name: string;
            version: string;
            /** @description IANA name of the time zone of days, weeks and months */
            time_zone: string;
            /** @description `public`: this client may watch the transactions without logging in; always so for a wall with its key */
            stream_access: "public" | "auth";
            /** @description tags that a transfer may carry */
            tags: string[];
            /** @description what people call points */
            points_name: {
                /** @description 1 to 30 characters */
                one: string;
                /** @description 1 to 30 characters */
                many: string;
            };
            /** @description recognitions that members see: all, or their own */
            feed: "all" | "own";
            /** @description hosts whose pictures are shown; `*` for all */
            avatar_hosts: string[];
            login: {
                /** @description whether anybody may log in with a password */
                password: boolean;
                /** @description how many characters a new password has at least */
                password_min_length: number;
                /** @description log-in through a provider at `/oidc/login`; null where there is none */
                oidc: {
                    /** @description text of the button; null: in the language of the reader */
                    button: string | null;
                } | null;
            };
        };
        CurrentSession: {
            username: string;
            name: string;
            /** @description department */
            dept: string;
            /** @description address of an image, or a path of this server */
            avatar: string | null;
            email: string;
            currency: string;
            /** @description text */
            bio: string | null;
            /** @description the day of the year, MM-DD */
            birthday: string | null;
            /** @description the first day at work, YYYY-MM-DD */
            joined: string | null;
            /** @description whether the person wants to be celebrated; null: they have not said, so their anniversaries are named and their birthday is not */
            celebrates: boolean | null;
            role: "superuser" | "member";
            /** @description username of the person whom this person reports to; null for nobody */
            manager: string | null;
            /** @description name of the manager */
            manager_name: string | null;
            /** @description picture of the manager: address of an image, or a path of this server */
            manager_avatar: string | null;
            /** @description points */
            balance: number;
            /** @description what a superuser gave this person to do */
            duties: ("insights" | "rewards" | "people" | "programme")[];
            active: boolean;
            /** @description UTC */
            deactivated_at: string | null;
            /** @description points that you can give: the balance, or `budget` if the programme says so */
            to_give: number;
            /** @description points received as recognition, less what was taken back */
            received: number;
            /** @description of the balance, the points that can be given only, never below 0; giving uses them first */
            budget: number;
            /** @description of the balance, the points that others gave as recognition; a user can give them or redeem them */
            redeemable: number;
            /** @description how many people report to you */
            reports: number;
            /** @description notifications that are not seen; 100 for more */
            unread: number;
            /** @description what is celebrated of you today; null for nothing */
            occasion: {
                /** Format: date */
                date: string;
                kind: "birthday" | "anniversary" | "first_day";
                /** @description of an anniversary; null otherwise */
                years: number | null;
            } | null;
            /** @description points that everybody together granted to others this month; for superusers only */
            granted_this_month: number | null;
            /** @description the next allowance that is paid to you; null when there is none */
            next_allowance: {
                /** @description points */
                value: number;
                mode: "add" | "top_up" | "reset";
                /**
                 * @description when it is paid
                 * @example 2026-11-21T12:00:00.123Z
                 */
                at: string;
            } | null;
            /** @description mail when somebody thanks you: `each` at once, `daily` together, `off` for no mail about recognition */
            mail: "each" | "daily" | "off";
            /** @description language of mail; null for that of the service */
            language: "de" | "en" | "es" | "fr" | "pt" | null;
            /** @description whether `admin` still has the password from the start */
            initial_password: boolean;
            /** @description whether that is the one of every new installation, which anybody can look up */
            default_password: boolean;
            /** @description whether you must set up a second factor before you can do anything else */
            second_factor_missing: boolean;
            service: components["schemas"]["Service"];
            programme: components["schemas"]["Programme"];
        } | null;
        OpenSessions: {
            items: {
                /** @description identifies the session; it is not a credential */
                id: string;
                /** @description whether this request came with it */
                current: boolean;
                /** @description UTC */
                opened_at: string | null;
                /**
                 * @description UTC
                 * @example 2026-11-21T12:00:00.123Z
                 */
                expires_at: string;
                /** @description IP address that it was opened from */
                address: string | null;
            }[];
        };
        Ended: {
            /** @description how many sessions */
            ended: number;
        };
        ApiToken: {
            id: number;
            name: string;
            /** @description how the token begins */
            prefix: string;
            scopes: ("read" | "give" | "admin")[];
            /**
             * @description UTC
             * @example 2026-11-21T12:00:00.123Z
             */
            created_at: string;
            /** @description UTC; null: never */
            expires_at: string | null;
            /** @description UTC; null: not yet */
            last_used_at: string | null;
            /** @description IP address of the last use */
            last_used_from: string | null;
        };
        ApiTokenList: {
            items: components["schemas"]["ApiToken"][];
        };
        CreatedApiToken: {
            id: number;
            name: string;
            /** @description how the token begins */
            prefix: string;
            scopes: ("read" | "give" | "admin")[];
            /**
             * @description UTC
             * @example 2026-11-21T12:00:00.123Z
             */
            created_at: string;
            /** @description UTC; null: never */
            expires_at: string | null;
            /** @description UTC; null: not yet */
            last_used_at: string | null;
            /** @description IP address of the last use */
            last_used_from: string | null;
            /** @description the token itself, which is shown only in this answer */
            token: string;
        };
        ServiceToken: {
            id: number;
            name: string;
            /** @description how the token begins */
            prefix: string;
            scopes: ("read" | "give" | "admin")[];
            /**
             * @description UTC
             * @example 2026-11-21T12:00:00.123Z
             */
            created_at: string;
            /** @description UTC; null: never */
            expires_at: string | null;
            /** @description UTC; null: not yet */
            last_used_at: string | null;
            /** @description IP address of the last use */
            last_used_from: string | null;
            /** @description the account whose rights it has, and in whose name it gives */
            username: string;
        };
        ServiceTokenList: {
            items: components["schemas"]["ServiceToken"][];
        };
        CreatedServiceToken: {
            id: number;
            name: string;
            /** @description how the token begins */
            prefix: string;
            scopes: ("read" | "give" | "admin")[];
            /**
             * @description UTC
             * @example 2026-11-21T12:00:00.123Z
             */
            created_at: string;
            /** @description UTC; null: never */
            expires_at: string | null;
            /** @description UTC; null: not yet */
            last_used_at: string | null;
            /** @description IP address of the last use */
            last_used_from: string | null;
            /** @description the account whose rights it has, and in whose name it gives */
            username: string;
            /** @description the token itself, which is shown only in this answer */
            token: string;
        };
        PushDevice: {
            id: number;
            name: string;
            /**
             * @description UTC
             * @example 2026-11-21T12:00:00.123Z
             */
            created_at: string;
            /** @description UTC, when its push service took a notification last; null: not yet */
            last_used_at: string | null;
        };
        Push: {
            /** @description with which a browser subscribes (VAPID's `applicationServerKey`), base64url */
            public_key: string;
            devices: components["schemas"]["PushDevice"][];
        };
        SecondFactor: {
            id: number;
            kind: "passkey" | "totp";
            name: string;
            /**
             * @description UTC
             * @example 2026-11-21T12:00:00.123Z
             */
            created_at: string;
            /** @description UTC */
            last_used_at: string | null;
        };
        SecondFactors: {
            items: components["schemas"]["SecondFactor"][];
            /** @description how many are left */
            recovery_codes: number;
            /** @description whether you must have a second factor */
            required: boolean;
            /** @description whether browsers can make passkeys for the address of this service */
            passkeys: boolean;
        };
        PasskeyOptions: {
            /** @description to be sent back with the passkey, within five minutes */
            challenge: string;
            /** @description for `navigator.credentials.create`, as JSON */
            options: {
                [key: string]: unknown;
            };
        };
        TotpSetup: {
            /** @description in base32, to be typed into an app */
            secret: string;
            /** @description the same as an address, for a QR code */
            uri: string;
        };
        RecoveryCodes: {
            /** @description shown once; each finishes one log-in */
            codes: string[];
        };
        RemovedFactors: {
            /** @description how many second factors */
            removed: number;
        };
        Me: {
            username: string;
            name: string;
            /** @description department */
            dept: string;
            /** @description address of an image, or a path of this server */
            avatar: string | null;
            email: string;
            currency: string;
            /** @description text */
            bio: string | null;
            /** @description the day of the year, MM-DD */
            birthday: string | null;
            /** @description the first day at work, YYYY-MM-DD */
            joined: string | null;
            /** @description whether the person wants to be celebrated; null: they have not said, so their anniversaries are named and their birthday is not */
            celebrates: boolean | null;
            role: "superuser" | "member";
            /** @description username of the person whom this person reports to; null for nobody */
            manager: string | null;
            /** @description name of the manager */
            manager_name: string | null;
            /** @description picture of the manager: address of an image, or a path of this server */
            manager_avatar: string | null;
            /** @description points */
            balance: number;
            /** @description what a superuser gave this person to do */
            duties: ("insights" | "rewards" | "people" | "programme")[];
            active: boolean;
            /** @description UTC */
            deactivated_at: string | null;
            /** @description points that you can give: the balance, or `budget` if the programme says so */
            to_give: number;
            /** @description points received as recognition, less what was taken back */
            received: number;
            /** @description of the balance, the points that can be given only, never below 0; giving uses them first */
            budget: number;
            /** @description of the balance, the points that others gave as recognition; a user can give them or redeem them */
            redeemable: number;
            /** @description how many people report to you */
            reports: number;
            /** @description notifications that are not seen; 100 for more */
            unread: number;
            /** @description what is celebrated of you today; null for nothing */
            occasion: {
                /** Format: date */
                date: string;
                kind: "birthday" | "anniversary" | "first_day";
                /** @description of an anniversary; null otherwise */
                years: number | null;
            } | null;
            /** @description points that everybody together granted to others this month; for superusers only */
            granted_this_month: number | null;
            /** @description the next allowance that is paid to you; null when there is none */
            next_allowance: {
                /** @description points */
                value: number;
                mode: "add" | "top_up" | "reset";
                /**
                 * @description when it is paid
                 * @example 2026-11-21T12:00:00.123Z
                 */
                at: string;
            } | null;
            /** @description mail when somebody thanks you: `each` at once, `daily` together, `off` for no mail about recognition */
            mail: "each" | "daily" | "off";
            /** @description language of mail; null for that of the service */
            language: "de" | "en" | "es" | "fr" | "pt" | null;
            /** @description whether `admin` still has the password from the start */
            initial_password: boolean;
            /** @description whether that is the one of every new installation, which anybody can look up */
            default_password: boolean;
        };
        Account: {
            username: string;
            name: string;
            /** @description department */
            dept: string;
            /** @description address of an image, or a path of this server */
            avatar: string | null;
            email: string;
            currency: string;
            /** @description text */
            bio: string | null;
            /** @description the day of the year, MM-DD */
            birthday: string | null;
            /** @description the first day at work, YYYY-MM-DD */
            joined: string | null;
            /** @description whether the person wants to be celebrated; null: they have not said, so their anniversaries are named and their birthday is not */
            celebrates: boolean | null;
            role: "superuser" | "member";
            /** @description username of the person whom this person reports to; null for nobody */
            manager: string | null;
            /** @description name of the manager */
            manager_name: string | null;
            /** @description picture of the manager: address of an image, or a path of this server */
            manager_avatar: string | null;
            /** @description points */
            balance: number;
            /** @description what a superuser gave this person to do */
            duties: ("insights" | "rewards" | "people" | "programme")[];
            active: boolean;
            /** @description UTC */
            deactivated_at: string | null;
            /** @description whether a log-in asks for more than the password */
            second_factor: boolean;
            /** @description whether placeholders have taken the place of name, username and e-mail address */
            erased: boolean;
        };
        /** @description rows by what they are about */
        PersonalData: {
            [key: string]: {
                [key: string]: unknown;
            }[];
        };
        AuditEntry: {
            id: number;
            /**
             * @description UTC; of what happened more than once, the last time
             * @example 2026-11-21T12:00:00.123Z
             */
            at: string;
            /** @description who did it; null for the server, and where nobody was logged in */
            who: string | null;
            /**
             * @description one of login, login_failed, identity_linked, identity_unlinked, user_created, users_imported, exported, points_sent, points_granted, points_reversed, reply_hidden, reply_shown, allowance_added, allowance_changed, allowance_removed, allowance_run, programme_changed, reward_created, reward_changed, reward_fulfilled, reward_declined, profile_changed, dept_changed, duties_changed, dept_renamed, manager_changed, password_changed, user_deactivated, user_reactivated, user_erased, access_ended, token_created, token_revoked, second_factor_added, second_factor_removed, second_factors_reset, recovery_codes_created, recovery_code_used, webhook_added, webhook_changed, webhook_removed, webhook_replayed, webhook_skipped, webhook_stopped, settings, shell, backup, restore, copy
             * @enum {string}
             */
            what: "login" | "login_failed" | "identity_linked" | "identity_unlinked" | "user_created" | "users_imported" | "exported" | "points_sent" | "points_granted" | "points_reversed" | "reply_hidden" | "reply_shown" | "allowance_added" | "allowance_changed" | "allowance_removed" | "allowance_run" | "programme_changed" | "reward_created" | "reward_changed" | "reward_fulfilled" | "reward_declined" | "profile_changed" | "dept_changed" | "duties_changed" | "dept_renamed" | "manager_changed" | "password_changed" | "user_deactivated" | "user_reactivated" | "user_erased" | "access_ended" | "token_created" | "token_revoked" | "second_factor_added" | "second_factor_removed" | "second_factors_reset" | "recovery_codes_created" | "recovery_code_used" | "webhook_added" | "webhook_changed" | "webhook_removed" | "webhook_replayed" | "webhook_skipped" | "webhook_stopped" | "settings" | "shell" | "backup" | "restore" | "copy";
            /** @description the person whom it is about */
            whom: string | null;
            /** @description the values of what changed before, by the names of the interface; null where there was nothing */
            before_values: {
                [key: string]: unknown;
            } | null;
            /** @description the values of what changed after, by the names of the interface; null where there was nothing */
            after_values: {
                [key: string]: unknown;
            } | null;
            /** @description the IP address from which it came */
            address: string | null;
            /**
             * @description one of http, command line, server
             * @enum {string}
             */
            way: "http" | "command line" | "server";
            /** @description how many times it happened */
            count: number;
            /** @description what else is worth knowing */
            detail: string | null;
        };
        AuditPage: {
            items: components["schemas"]["AuditEntry"][];
            /** @description the parameter `before` of the next page */
            next: string | null;
        };
        Face: {
            username: string;
            name: string;
            /** @description department */
            dept: string;
            /** @description address of an image, or a path of this server */
            avatar: string | null;
        };
        PeoplePage: {
            items: components["schemas"]["Face"][];
            /** @description the parameter `after` of the next page; null at the end */
            next: string | null;
        };
        Person: {
            username: string;
            name: string;
            /** @description department */
            dept: string;
            /** @description address of an image, or a path of this server */
            avatar: string | null;
            /** @description text */
            bio: string | null;
            /** @description the day of the year, MM-DD; only of somebody who wants to be celebrated */
            birthday: string | null;
            /** @description the first day at work, YYYY-MM-DD; null of somebody who does not want to be celebrated */
            joined: string | null;
            role: "superuser" | "member";
            /** @description false for somebody who left */
            active: boolean;
            /** @description null where it is hidden */
            received: {
                /** @description points; null where the programme hides them */
                points: number | null;
                /** @description transfers */
                count: number;
            } | null;
            /** @description null where it is hidden */
            sent: {
                /** @description points; null where the programme hides them */
                points: number | null;
                /** @description transfers */
                count: number;
            } | null;
            /** @description username of the person whom this person reports to; null for nobody */
            manager: string | null;
            /** @description name of the manager */
            manager_name: string | null;
            /** @description picture of the manager: address of an image, or a path of this server */
            manager_avatar: string | null;
            /** @description in the last twelve months; null where it is hidden */
            thanked: {
                /** @description how many different people thanked */
                people: number;
                /** @description the most frequent first */
                tags: {
                    tag: string;
                    count: number;
                }[];
                /** @description what was responded to most */
                words: {
                    /** @description its id in the feed */
                    recognition: number;
                    /** @description the reason; private ones are left out */
                    text: string;
                    /** @description of the sender */
                    username: string;
                    name: string;
                    /** @description address of a picture */
                    avatar: string | null;
                    /**
                     * @description UTC, ISO 8601
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    date: string;
                }[];
            } | null;
        };
        Departments: {
            items: {
                name: string;
                people: number;
            }[];
        };
        Rename: {
            /** @description the new name; when departments are merged, as the existing one spells it */
            name: string;
            /** @description how many move; those who left move too, and are not counted: 0 when everybody has left */
            people: number;
            /** @description how many allowances for the department follow it */
            allowances: number;
            /** @description how many are in the department that is joined, without those who left; null when none is */
            joins: number | null;
        };
        Suggestions: {
            items: {
                username: string;
                name: string;
                /** @description department */
                dept: string;
                /** @description address of an image, or a path of this server */
                avatar: string | null;
                /** @description `recent`: you exchanged recognition lately; `overlooked`: you have not thanked them for 30 days */
                because: "recent" | "overlooked";
            }[];
        };
        Templates: {
            /** @description at most 10, of at most 500 characters each */
            items: string[];
        };
        Leaderboard: {
            period: "week" | "month" | "quarter" | "year" | "all";
            by: "received" | "sent";
            /** @description `own`: others' points are hidden, and `items` holds only the caller */
            shows: "all" | "own";
            /** @description UTC; null for `all` */
            start: string | null;
            /** @description UTC, not within; null for `all` */
            end: string | null;
            items: {
                /** @description points; null where the programme hides them */
                points: number | null;
                /** @description transfers */
                count: number;
                rank: number;
                username: string;
                name: string;
                /** @description department */
                dept: string;
                /** @description address of an image, or a path of this server */
                avatar: string | null;
            }[];
            own: {
                /** @description points */
                points: number;
                /** @description transfers */
                count: number;
                /** @description null without points */
                rank: number | null;
                /** @description how many different people thanked the caller, or were thanked */
                people: number;
            };
        };
        OwnDays: {
            /** @constant */
            scope: "own";
            days: {
                /**
                 * @description in the time zone of the service
                 * @example 2026-11-21
                 */
                day: string;
                received: {
                    /** @description points */
                    points: number;
                    /** @description transfers */
                    count: number;
                };
                sent: {
                    /** @description points */
                    points: number;
                    /** @description transfers */
                    count: number;
                };
                /** @description balance at the end of the day */
                balance: number;
            }[];
        };
        AllDays: {
            /** @constant */
            scope: "all";
            days: {
                /**
                 * @description in the time zone of the service
                 * @example 2026-11-21
                 */
                day: string;
                /** @description points */
                points: number;
                /** @description transfers */
                count: number;
            }[];
        };
        Team: {
            /** @description those who were never thanked first, then those who were thanked longest ago; at most 10000, nearest first */
            items: {
                username: string;
                name: string;
                /** @description department */
                dept: string;
                /** @description the first day at work */
                joined: string | null;
                /** @description points received as recognition within the last 30 days; null where amounts are hidden */
                received: number | null;
                /** @description points given as recognition within the last 30 days; null where amounts are hidden */
                given: number | null;
                /** @description the day on which somebody thanked this person last; null: never */
                last_thanked: string | null;
                /** @description the day on which this person thanked somebody last; null: never */
                last_gave: string | null;
                /** @description username of the person whom this person reports to; null for nobody */
                manager: string | null;
                /** @description name of the manager */
                manager_name: string | null;
                /** @description picture of the manager: address of an image, or a path of this server */
                manager_avatar: string | null;
                /** @description how often somebody thanked this person within the last 30 days */
                received_count: number;
                /** @description how often this person thanked somebody within the last 30 days */
                given_count: number;
                /** @description address of an image, or a path of this server */
                avatar: string | null;
            }[];
        };
        Recap: {
            /** @example 2026-Q4 */
            period: string;
            unit: "month" | "quarter" | "year";
            /**
             * @description first day
             * @example 2026-10-01
             */
            from: string;
            /**
             * @description last day
             * @example 2026-12-31
             */
            to: string;
            /** @description whether the period is over */
            ended: boolean;
            received: {
                /** @description points */
                points: number;
                /** @description transfers */
                count: number;
                /** @description by how many different people; of the company, how many received */
                people: number;
            };
            given: {
                /** @description points */
                points: number;
                /** @description transfers */
                count: number;
                /** @description to how many different people; of the company, how many gave */
                people: number;
            };
            /** @description every month of the period */
            months: {
                /** @example 2026-11 */
                month: string;
                /** @description how often received */
                received: number;
                /** @description how often given */
                given: number;
            }[];
            /** @description the month with the most recognition; null for none */
            most_active_month: string | null;
            /** @description the three most used of what was received */
            tags: {
                tag: string;
                count: number;
            }[];
            /** @description with whom the person exchanged most, at most 5; of the company, who received most often, or nobody where the leaderboard is hidden */
            people: {
                username: string;
                name: string;
                /** @description department */
                dept: string;
                /** @description address of an image, or a path of this server */
                avatar: string | null;
                /** @description how often received */
                received: number;
                /** @description how often given */
                given: number;
            }[];
            /** @description reasons received, those with the most responses first, at most 3; private ones are left out */
            words: {
                /** @description its id in the feed */
                recognition: number;
                text: string;
                from: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                to: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                /**
                 * @description UTC, ISO 8601
                 * @example 2026-11-21T12:00:00.123Z
                 */
                date: string;
            }[];
            /** @description the longest reason received */
            longest: {
                /** @description its id in the feed */
                recognition: number;
                text: string;
                from: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                to: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                /**
                 * @description UTC, ISO 8601
                 * @example 2026-11-21T12:00:00.123Z
                 */
                date: string;
            } | null;
            /** @description the first entry */
            first: {
                /** @description its id in the feed */
                recognition: number;
                from: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                to: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                /**
                 * @description UTC, ISO 8601
                 * @example 2026-11-21T12:00:00.123Z
                 */
                date: string;
            } | null;
            /** @description the last entry */
            last: {
                /** @description its id in the feed */
                recognition: number;
                from: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                to: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                /**
                 * @description UTC, ISO 8601
                 * @example 2026-11-21T12:00:00.123Z
                 */
                date: string;
            } | null;
        };
        CompanyRecap: {
            /** @example 2026-Q4 */
            period: string;
            unit: "month" | "quarter" | "year";
            /**
             * @description first day
             * @example 2026-10-01
             */
            from: string;
            /**
             * @description last day
             * @example 2026-12-31
             */
            to: string;
            /** @description whether the period is over */
            ended: boolean;
            received: {
                /** @description points */
                points: number;
                /** @description transfers */
                count: number;
                /** @description by how many different people; of the company, how many received */
                people: number;
            };
            given: {
                /** @description points */
                points: number;
                /** @description transfers */
                count: number;
                /** @description to how many different people; of the company, how many gave */
                people: number;
            };
            /** @description every month of the period */
            months: {
                /** @example 2026-11 */
                month: string;
                /** @description how often received */
                received: number;
                /** @description how often given */
                given: number;
            }[];
            /** @description the month with the most recognition; null for none */
            most_active_month: string | null;
            /** @description the three most used of what was received */
            tags: {
                tag: string;
                count: number;
            }[];
            /** @description with whom the person exchanged most, at most 5; of the company, who received most often, or nobody where the leaderboard is hidden */
            people: {
                username: string;
                name: string;
                /** @description department */
                dept: string;
                /** @description address of an image, or a path of this server */
                avatar: string | null;
                /** @description how often received */
                received: number;
                /** @description how often given */
                given: number;
            }[];
            /** @description reasons received, those with the most responses first, at most 3; private ones are left out */
            words: {
                /** @description its id in the feed */
                recognition: number;
                text: string;
                from: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                to: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                /**
                 * @description UTC, ISO 8601
                 * @example 2026-11-21T12:00:00.123Z
                 */
                date: string;
            }[];
            /** @description the longest reason received */
            longest: {
                /** @description its id in the feed */
                recognition: number;
                text: string;
                from: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                to: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                /**
                 * @description UTC, ISO 8601
                 * @example 2026-11-21T12:00:00.123Z
                 */
                date: string;
            } | null;
            /** @description the first entry */
            first: {
                /** @description its id in the feed */
                recognition: number;
                from: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                to: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                /**
                 * @description UTC, ISO 8601
                 * @example 2026-11-21T12:00:00.123Z
                 */
                date: string;
            } | null;
            /** @description the last entry */
            last: {
                /** @description its id in the feed */
                recognition: number;
                from: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                to: {
                    username: string;
                    name: string;
                    /** @description address of an image, or a path of this server */
                    avatar: string | null;
                };
                /**
                 * @description UTC, ISO 8601
                 * @example 2026-11-21T12:00:00.123Z
                 */
                date: string;
            } | null;
            /** @description people's present ones, those that received most often first */
            departments: {
                name: string;
                received: {
                    /** @description points */
                    points: number;
                    count: number;
                };
                given: {
                    /** @description points */
                    points: number;
                    count: number;
                };
            }[];
        };
        Wall: {
            /** @description newest first, without what was taken back */
            items: components["schemas"]["StreamedRecognition"][];
            /** @description what everybody gave together this week; null for members who see only their own recognitions */
            week: {
                /** @description points; null where the programme hides them */
                points: number | null;
                /** @description recognitions */
                count: number;
                tags: {
                    tag: string;
                    count: number;
                }[];
            } | null;
            /** @description where people reach this server */
            url: string;
        };
        ParticipationInsight: {
            /**
             * @description first day
             * @example 2026-10-24
             */
            from: string;
            /**
             * @description last day
             * @example 2026-11-22
             */
            to: string;
            items: {
                /** @example 2026-11 */
                month: string;
                /** @description people who thanked somebody */
                senders: number;
                /** @description people who were thanked */
                receivers: number;
                /** @description recognitions, less those that were taken back */
                count: number;
                /** @description points */
                value: number;
            }[];
        };
        OverlookedInsight: {
            /**
             * @description first day
             * @example 2026-10-24
             */
            from: string;
            /**
             * @description last day
             * @example 2026-11-22
             */
            to: string;
            items: {
                username: string;
                name: string;
                /** @description department */
                dept: string;
                /** @description address of an image, or a path of this server */
                avatar: string | null;
                /** @description null: never */
                last_thanked: string | null;
            }[];
        };
        BudgetsInsight: {
            /**
             * @description first day
             * @example 2026-10-24
             */
            from: string;
            /**
             * @description last day
             * @example 2026-11-22
             */
            to: string;
            items: {
                username: string;
                name: string;
                /** @description department */
                dept: string;
                /** @description address of an image, or a path of this server */
                avatar: string | null;
                /** @description what is left of the budget */
                value: number;
                /** @description points given as recognition within the days */
                given: number;
            }[];
        };
        DepartmentsInsight: {
            /**
             * @description first day
             * @example 2026-10-24
             */
            from: string;
            /**
             * @description last day
             * @example 2026-11-22
             */
            to: string;
            items: {
                /** @description present department of the senders */
                from: string;
                /** @description present department of the receivers */
                to: string;
                /** @description recognitions, less those that were taken back */
                count: number;
                /** @description points */
                value: number;
            }[];
        };
        TagsInsight: {
            /**
             * @description first day
             * @example 2026-10-24
             */
            from: string;
            /**
             * @description last day
             * @example 2026-11-22
             */
            to: string;
            items: {
                /** @example 2026-11 */
                month: string;
                tag: string;
                /** @description recognitions, less those that were taken back */
                count: number;
                /** @description points */
                value: number;
            }[];
        };
        Outstanding: {
            /**
             * @description the day whose end counts
             * @example 2026-10-31
             */
            at: string;
            /** @description of `value` */
            currency: string | null;
            total: {
                /** @description points */
                balance: number;
                /** @description points of the balance that can be redeemed */
                redeemable: number;
                /** @description what the redeemable points are worth in money; null while a point has no value */
                value: number | null;
            };
            /** @description everybody who holds points */
            items: {
                username: string;
                name: string;
                /** @description department */
                dept: string;
                /** @description address of an image, or a path of this server */
                avatar: string | null;
                /** @description points */
                balance: number;
                /** @description points of the balance that can be redeemed */
                redeemable: number;
                /** @description what the redeemable points are worth in money; null while a point has no value */
                value: number | null;
            }[];
        };
        OutstandingMonths: {
            items: {
                /** @example 2026-10 */
                month: string;
                /** @description the day whose end counts: the last of the month, or today */
                day: string;
                /** @description of `value` */
                currency: string | null;
                /** @description points */
                balance: number;
                /** @description points of the balance that can be redeemed */
                redeemable: number;
                /** @description what the redeemable points are worth in money; null while a point has no value */
                value: number | null;
            }[];
        };
        ImportResult: {
            /** @description people to be created */
            created: number;
            /** @description people with a changed cell */
            updated: number;
            /** @description people without a change */
            unchanged: number;
            /** @description people among the updated whose account it deactivates */
            deactivated: {
                username: string;
                name: string;
            }[];
            /** @description people among the updated whose account it reactivates */
            reactivated: {
                username: string;
                name: string;
            }[];
            /** @description departments that nobody was in before */
            new_departments: string[];
            /** @description faults by row, at most 1000; only in a dry run */
            errors: {
                /** @description numbered as in a spreadsheet: row 1 holds the column names */
                row: number;
                column: string | null;
                code: components["schemas"]["ErrorCode"];
                detail: string;
            }[];
        };
        Health: {
            version: string;
            /** @description UTC */
            started_at: string;
            /** @description whether every check is ok */
            ready: boolean;
            /** @description by part: database, worker, disk, backup */
            checks: {
                [key: string]: {
                    ok: boolean;
                    reason: string;
                };
            };
            backup: {
                /** @description 0 without a schedule */
                every_hours: number;
                /** @description UTC; null when there is none */
                last_at: string | null;
                /** @description UTC; null when none failed since the last one */
                failed_at: string | null;
            };
            /** @description how many */
            people: number;
            /** @description how many */
            transactions: number;
            /** @description including the write-ahead log */
            database_bytes: number;
            /** @description free on the disk of the database file; null without one */
            free_bytes: number | null;
            /** @description not sent yet */
            waiting_mails: number;
            discarded_jobs: {
                /** @description given up in the last 30 days, such as a mail that could not be delivered */
                count: number;
                newest: {
                    /** @description such as `reset_mail` or `invitation` */
                    kind: string;
                    /** @description UTC */
                    at: string;
                    /** @description error of the last attempt, without addresses */
                    error: string;
                } | null;
            };
            /** @description false: mail is written to a file */
            sends_mail: boolean;
        };
        ScimUser: {
            schemas: string[];
            id: string;
            userName?: string;
            externalId?: string;
            displayName?: string;
            name?: {
                formatted?: string;
                givenName?: string;
                familyName?: string;
            } & {
                [key: string]: unknown;
            };
            emails?: ({
                value: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            active?: boolean;
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"?: {
                department?: string;
                /** @description `value` is an id, and `$ref` the address of that user */
                manager?: {
                    value?: string;
                    displayName?: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            meta?: {
                resourceType: string;
                location: string;
            };
        };
        ScimUserRequest: {
            schemas?: string[];
            userName?: string;
            externalId?: string;
            displayName?: string;
            name?: {
                formatted?: string;
                givenName?: string;
                familyName?: string;
            } & {
                [key: string]: unknown;
            };
            emails?: ({
                value: string;
                type?: string;
                primary?: boolean;
            } & {
                [key: string]: unknown;
            })[];
            active?: boolean;
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"?: {
                department?: string;
                /** @description `value` is an id, and `$ref` the address of that user */
                manager?: {
                    value?: string;
                    displayName?: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ScimPatch: {
            schemas: string[];
            Operations: {
                /** @description `add`, `replace` or `remove`, in any case */
                op: string;
                path?: string;
                value?: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        ScimUsers: {
            schemas: string[];
            totalResults: number;
            startIndex: number;
            itemsPerPage: number;
            Resources: components["schemas"]["ScimUser"][];
        };
        ScimDescription: {
            schemas: string[];
            id?: string;
            meta: {
                resourceType: string;
                location: string;
            };
        } & {
            [key: string]: unknown;
        };
        ScimDescriptions: {
            schemas: string[];
            totalResults: number;
            startIndex: number;
            itemsPerPage: number;
            Resources: components["schemas"]["ScimDescription"][];
        };
        ScimError: {
            schemas: string[];
            /** @description the status of the answer */
            status: string;
            /** @description the kind of a 400 or 409, such as `invalidFilter` */
            scimType?: string;
            detail: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    postToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description the user name; if none matches exactly, also in another case, or the e-mail address */
                    username: string;
                    password: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postRefresh_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refresh_token: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description the user name; if none matches exactly, also in another case, or the e-mail address */
                    username: string;
                    password: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description The account has a second factor */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorChallenge"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "postLoginSecond-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description the challenge, and one of the others */
        requestBody: {
            content: {
                "application/json": {
                    /** @description that of the log-in */
                    challenge: string;
                    /** @description what `navigator.credentials.get` returned, as JSON */
                    passkey?: {
                        [key: string]: unknown;
                    };
                    /** @description the six digits that the app shows */
                    code?: string;
                    recovery_code?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOidcLogin: {
        parameters: {
            query?: {
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Elsewhere */
            303: {
                headers: {
                    /** @description where the browser goes */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOidcCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Elsewhere */
            303: {
                headers: {
                    /** @description where the browser goes */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOidcLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Elsewhere */
            303: {
                headers: {
                    /** @description where the browser goes */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: {
                show_balance?: boolean;
                active?: "true" | "false" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["UserResponse"] | components["schemas"]["UserResponseWithBalance"])[];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUser: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters */
                    name: string;
                    /** @description one plain address of at most 254 characters */
                    email: string;
                    /** @description 1 to 100 characters; `management` makes a superuser */
                    dept: string;
                    /** @description at most 1024 bytes */
                    password: string;
                    /** @description 1 to 16 characters, by default USD */
                    currency?: string;
                    /** @description 1 to 64 characters; made from the name when absent or null */
                    username?: string | null;
                    /** @description http or https address of an image */
                    avatar?: string | null;
                    /** @description at most 2000 characters */
                    bio?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUserByUsername: {
        parameters: {
            query?: {
                show_balance?: boolean;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"] | components["schemas"]["UserResponseWithBalance"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patchUserByUsername: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description http or https address of an image; null when absent */
                    avatar?: string | null;
                    /** @description at most 2000 characters; null when absent */
                    bio?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUserByUsernamePassword: {
        parameters: {
            query?: {
                fresh?: boolean;
                pwd_reset_token?: string;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    password_confirm: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUserPwd_reset_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTransactionByUsername: {
        parameters: {
            query?: {
                fresh?: boolean;
                user?: string;
                from_user?: string;
                order_by?: "from_user" | "-from_user" | "user" | "-user" | "value" | "-value" | "date" | "-date";
                page?: number;
                size?: number;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageWithBalance"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postTransactionByUsername: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description points */
                    value: number;
                    /** @description at most 500 characters; line breaks are kept */
                    reason?: string | null;
                    /** @description some of the tags of the service, each at most once */
                    tags?: string[];
                    /** @description whether only sender and receiver may read the reason */
                    private?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: {
                fresh?: boolean;
                user?: string;
                from_user?: string;
                order_by?: "from_user" | "-from_user" | "user" | "-user" | "value" | "-value" | "date" | "-date";
                page?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUnsubscribe: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the language of the person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postUnsubscribe: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page in the language of the person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postIntegrationsSlackCommands: {
        parameters: {
            query?: never;
            header: {
                /** @description when Slack signed the request, in seconds since 1970; at most five minutes ago */
                "X-Slack-Request-Timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description what was typed behind the command */
                    text?: string;
                    /** @description the person in Slack */
                    user_id?: string;
                    /** @description identifies this use of the command */
                    trigger_id?: string;
                    /** @description where Slack takes the outcome */
                    response_url?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postIntegrationsSlackInteractions: {
        parameters: {
            query?: never;
            header: {
                /** @description when Slack signed the request, in seconds since 1970; at most five minutes ago */
                "X-Slack-Request-Timestamp": number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description JSON */
                    payload: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postIntegrationsMattermostCommands: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description the token again */
                    token?: string;
                    /** @description what was typed behind the command */
                    text?: string;
                    /** @description the person in Mattermost */
                    user_id?: string;
                    /** @description identifies this use of the command */
                    trigger_id?: string;
                    /** @description where Mattermost takes the outcome; only its path counts, behind `mattermost.url` */
                    response_url?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApiV1Feed: {
        parameters: {
            query?: {
                fresh?: boolean;
                username?: string;
                about?: "me";
                department?: string;
                tag?: string;
                q?: string;
                before?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedPage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Stream: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedMessage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1RecognitionsById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    putApiV1RecognitionsByIdReactionsByEmoji: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
                emoji: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recognition"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1RecognitionsByIdReactionsByEmoji: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
                emoji: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recognition"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1RecognitionsByIdPoints: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description points for each receiver */
                    value: number;
                    /** @description 1 to 128 printable characters that the sender uses for this request alone, for ever */
                    reference?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedPoints"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1RecognitionsByIdReplies: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 280 characters; line breaks are kept */
                    text: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1RepliesById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    patchApiV1RepliesById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description whether only superusers and the author see it */
                    hidden: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Notifications: {
        parameters: {
            query?: {
                fresh?: boolean;
                before?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1NotificationsSeen: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the id of a notification: it and all older ones */
                    through: number;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unread"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Occasions: {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
                after?: string;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OccasionList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1Grants: {
        parameters: {
            query?: {
                fresh?: boolean;
                dry_run?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description points */
                    value: number;
                    /** @description at most 500 characters; line breaks are kept */
                    reason?: string | null;
                    /** @description some of the tags of the service, each at most once */
                    tags?: string[];
                    /** @description whether only sender and receiver may read the reason */
                    private?: boolean;
                    /** @description 1 to 128 printable characters that the sender uses for this request alone, for ever */
                    reference?: string | null;
                    /** @description at most 5000 receivers, departments included, each counted once */
                    usernames?: string[];
                    /** @description everyone in these departments (at most 100) except the giver */
                    depts?: string[];
                    /** @description one department, where `depts` is absent */
                    dept?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description With `dry_run`: what would be done; nothing is changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grant"];
                };
            };
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grant"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Transactions: {
        parameters: {
            query?: {
                fresh?: boolean;
                username?: string;
                user?: string;
                from_user?: string;
                kind?: "transfer" | "grant" | "allowance" | "expiry" | "redemption" | "refund" | "reversal" | "occasion";
                tag?: string;
                q?: string;
                from?: string;
                to?: string;
                ids?: string;
                reference?: string;
                before?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionEntryPage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1Transactions: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    to: string | string[];
                    /** @description points */
                    value: number;
                    /** @description at most 500 characters; line breaks are kept */
                    reason?: string | null;
                    /** @description some of the tags of the service, each at most once */
                    tags?: string[];
                    /** @description whether only sender and receiver may read the reason */
                    private?: boolean;
                    /** @description 1 to 128 printable characters that the sender uses for this request alone, for ever */
                    reference?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentTransaction"] | components["schemas"]["SentThanks"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1TransactionsByIdReversal: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description points; by default all that is left */
                    value?: number;
                    /** @description 1 to 500 characters */
                    reason: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reversal"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Departments: {
        parameters: {
            query?: {
                fresh?: boolean;
                active?: "true" | "false" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Departments"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    patchApiV1DepartmentsByName: {
        parameters: {
            query?: {
                fresh?: boolean;
                dry_run?: boolean;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the new name, 1 to 100 characters */
                    name: string;
                    /** @description true: it may join a department that has this name */
                    merge?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rename"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Allowances: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowanceList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1Allowances: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters */
                    name: string;
                    /** @description points */
                    value: number;
                    /**
                     * @description one of add, top_up, reset
                     * @enum {string}
                     */
                    mode: "add" | "top_up" | "reset";
                    /**
                     * @description one of day, week, month, quarter
                     * @enum {string}
                     */
                    period: "day" | "week" | "month" | "quarter";
                    /** @description one of the three; `admin`, who pays, gets nothing */
                    audience: {
                        everyone?: boolean;
                        /** @description a department */
                        dept?: string;
                        /** @description 1 to 5000 people */
                        usernames?: string[];
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description the weekday from 1 (Monday) to 7, or the day of the month or of the quarter's first month, 1 to 28 or "last" */
                    on?: number | string | null;
                    /** @description the time, by default 09:00, in the time zone of the service */
                    at?: string;
                    /** @description at most 500 characters */
                    reason?: string | null;
                    /** @description the first day, YYYY-MM-DD */
                    starts_on?: string | null;
                    /** @description the last day */
                    ends_on?: string | null;
                    /**
                     * @description what is paid after the server was down
                     * @default latest
                     * @enum {string}
                     */
                    catch_up?: "latest" | "none";
                    /** @description false while it is paused */
                    active?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Allowance"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1AllowancesById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Allowance"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1AllowancesById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    patchApiV1AllowancesById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters */
                    name?: string;
                    /** @description points */
                    value?: number;
                    /**
                     * @description one of add, top_up, reset
                     * @enum {string}
                     */
                    mode?: "add" | "top_up" | "reset";
                    /**
                     * @description one of day, week, month, quarter
                     * @enum {string}
                     */
                    period?: "day" | "week" | "month" | "quarter";
                    /** @description one of the three; `admin`, who pays, gets nothing */
                    audience?: {
                        everyone?: boolean;
                        /** @description a department */
                        dept?: string;
                        /** @description 1 to 5000 people */
                        usernames?: string[];
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description the weekday from 1 (Monday) to 7, or the day of the month or of the quarter's first month, 1 to 28 or "last" */
                    on?: number | string | null;
                    /** @description the time, by default 09:00, in the time zone of the service */
                    at?: string;
                    /** @description at most 500 characters */
                    reason?: string | null;
                    /** @description the first day, YYYY-MM-DD */
                    starts_on?: string | null;
                    /** @description the last day */
                    ends_on?: string | null;
                    /**
                     * @description what is paid after the server was down
                     * @default latest
                     * @enum {string}
                     */
                    catch_up?: "latest" | "none";
                    /** @description false while it is paused */
                    active?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Allowance"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1AllowancesByIdPreview: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowancePreview"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1AllowancesByIdRuns: {
        parameters: {
            query?: {
                fresh?: boolean;
                before?: number;
                size?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowanceRunPage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1AllowancesByIdRun: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowanceRun"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Rewards: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rewards"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1Rewards: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters */
                    name: string;
                    /** @description at most 1000 characters */
                    description?: string | null;
                    /** @description points */
                    cost: number;
                    /** @description how many are left; null: as many as are asked for */
                    stock?: number | null;
                    /** @description how many one person may redeem; null: no limit */
                    limit_per_person?: number | null;
                    /** @description whether members see it and can redeem it */
                    active?: boolean;
                    /** @description what it is worth in the programme's currency, with at most three decimals; null: not said */
                    money_value?: number | null;
                    /** @description whether whoever gets it has to pay tax on it */
                    taxable?: boolean;
                    /** @description one emoji, as the cover in place of a picture */
                    emoji?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reward"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    patchApiV1RewardsById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters */
                    name?: string;
                    /** @description at most 1000 characters */
                    description?: string | null;
                    /** @description points */
                    cost?: number;
                    /** @description how many are left; null: as many as are asked for */
                    stock?: number | null;
                    /** @description how many one person may redeem; null: no limit */
                    limit_per_person?: number | null;
                    /** @description whether members see it and can redeem it */
                    active?: boolean;
                    /** @description what it is worth in the programme's currency, with at most three decimals; null: not said */
                    money_value?: number | null;
                    /** @description whether whoever gets it has to pay tax on it */
                    taxable?: boolean;
                    /** @description one emoji, as the cover in place of a picture */
                    emoji?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reward"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    putApiV1RewardsByIdPicture: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/*": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reward"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    putApiV1RewardsByIdWish: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferedReward"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1RewardsByIdWish: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferedReward"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1RewardsByIdRedemptions: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ({
                    /** @description at most 500 characters */
                    comment?: string | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedRedemption"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Redemptions: {
        parameters: {
            query?: {
                fresh?: boolean;
                state?: "requested" | "fulfilled" | "declined";
                username?: string;
                before?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedemptionPage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1RedemptionsByIdFulfilment: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ({
                    /** @description at most 500 characters */
                    answer?: string | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redemption"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1RedemptionsByIdRejection: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ({
                    /** @description at most 500 characters */
                    answer?: string | null;
                } & {
                    [key: string]: unknown;
                }) | null;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redemption"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Programme: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description differs as soon as any field does */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Programme"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    patchApiV1Programme: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description the `ETag` of an earlier answer: nothing is changed if somebody else has changed the programme since */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    points_name?: {
                        /** @description 1 to 30 characters */
                        one?: string;
                        /** @description 1 to 30 characters */
                        many?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description what the give box offers, 1 to 8 different values */
                    amounts?: number[];
                    /** @description at most 50 */
                    tags?: ({
                        /** @description 1 to 32 characters without spaces and commas */
                        name: string;
                        /** @description one emoji */
                        emoji?: string | null;
                        /** @description at most 200 characters */
                        description?: string | null;
                    } & {
                        [key: string]: unknown;
                    })[];
                    most_to_one?: {
                        /** @description points */
                        points?: number | null;
                        /**
                         * @description period of the calendar
                         * @enum {string}
                         */
                        period?: "week" | "month" | "quarter";
                    } & {
                        [key: string]: unknown;
                    };
                    /**
                     * @description whether a transfer needs a reason; the contract's endpoint never asks for one
                     * @enum {string}
                     */
                    reason?: "optional" | "required";
                    /** @description how many characters a reason has at least */
                    reason_min?: number;
                    /**
                     * @description whether a transfer needs a tag; the contract's endpoint never asks for one
                     * @enum {string}
                     */
                    tag?: "optional" | "required";
                    /**
                     * @description whether members see everybody's amounts, or only those that concern them
                     * @enum {string}
                     */
                    amounts_shown?: "everyone" | "concerned";
                    /**
                     * @description who sees the leaderboards
                     * @enum {string}
                     */
                    leaderboard?: "everyone" | "superusers" | "off";
                    /**
                     * @description what members can give: their whole balance, or its giving part
                     * @enum {string}
                     */
                    give_from?: "balance" | "budget";
                    occasions?: {
                        birthday?: {
                            /** @description points that the person gets; 0: none */
                            points?: number;
                            /** @description 1 to 500 characters; `{name}` is the person, `{years}` an anniversary's number */
                            text?: string;
                            /** @description whether it is celebrated */
                            active?: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                        anniversary?: {
                            /** @description points that the person gets; 0: none */
                            points?: number;
                            /** @description 1 to 500 characters; `{name}` is the person, `{years}` an anniversary's number */
                            text?: string;
                            /** @description whether it is celebrated */
                            active?: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                        first_day?: {
                            /** @description points that the person gets; 0: none */
                            points?: number;
                            /** @description 1 to 500 characters; `{name}` is the person, `{years}` an anniversary's number */
                            text?: string;
                            /** @description whether it is celebrated */
                            active?: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description what a point is worth in money; null: nothing is said */
                    point_value?: ({
                        /** @description with at most six decimals */
                        amount: number;
                        /**
                         * @description the code of a currency
                         * @example EUR
                         */
                        currency: string;
                    } & {
                        [key: string]: unknown;
                    }) | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    /** @description differs as soon as any field does */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Programme"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Team: {
        parameters: {
            query?: {
                fresh?: boolean;
                depth?: "direct" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Recap: {
        parameters: {
            query?: {
                fresh?: boolean;
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recap"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1RecapCompany: {
        parameters: {
            query?: {
                fresh?: boolean;
                period?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyRecap"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Webhooks: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1Webhooks: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https, at most 2048 characters */
                    url: string;
                    /** @description some of transaction.created, transaction.reversed, user.created, user.updated, user.deactivated, occasion.celebrated, redemption.requested, redemption.fulfilled, redemption.declined; empty for all */
                    events?: ("transaction.created" | "transaction.reversed" | "user.created" | "user.updated" | "user.deactivated" | "occasion.celebrated" | "redemption.requested" | "redemption.fulfilled" | "redemption.declined")[];
                    /**
                     * @description all but the first get only recognitions, as chat messages
                     * @default standard
                     * @enum {string}
                     */
                    format?: "standard" | "slack" | "teams" | "discord";
                    /** @description at most 100 characters */
                    description?: string | null;
                    active?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1WebhooksById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1WebhooksById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    patchApiV1WebhooksById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https, at most 2048 characters */
                    url?: string;
                    /** @description some of transaction.created, transaction.reversed, user.created, user.updated, user.deactivated, occasion.celebrated, redemption.requested, redemption.fulfilled, redemption.declined; empty for all */
                    events?: ("transaction.created" | "transaction.reversed" | "user.created" | "user.updated" | "user.deactivated" | "occasion.celebrated" | "redemption.requested" | "redemption.fulfilled" | "redemption.declined")[];
                    /**
                     * @description all but the first get only recognitions, as chat messages
                     * @default standard
                     * @enum {string}
                     */
                    format?: "standard" | "slack" | "teams" | "discord";
                    /** @description at most 100 characters */
                    description?: string | null;
                    active?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1WebhooksByIdSecret: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1WebhooksByIdTest: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1WebhooksByIdDeliveries: {
        parameters: {
            query?: {
                fresh?: boolean;
                state?: "waiting" | "delivered" | "failed" | "skipped";
                before?: number;
                size?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1WebhooksByIdReplay: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description a time with its zone
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    since: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1DeliveriesByIdReplay: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1DeliveriesByIdSkip: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Events: {
        parameters: {
            query?: {
                fresh?: boolean;
                after?: number;
                limit?: number;
                types?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Service: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1MeSessions: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenSessions"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1MeSessions: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ended"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1MeSessionsBySession: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ended"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Tokens: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTokenList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1Tokens: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters; an account has at most 50 tokens of each kind */
                    name: string;
                    /** @description some of read, give, admin; each includes those before it, and `admin` is for superusers */
                    scopes: ("read" | "give" | "admin")[];
                    /** @description a time in UTC, YYYY-MM-DDTHH:MM:SSZ, or a day at whose beginning it expires; by default it never does */
                    expires_at?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiToken"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1TokensById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1Service-tokens": {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceTokenList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "postApiV1Service-tokens": {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters; an account has at most 50 tokens of each kind */
                    name: string;
                    /** @description some of read, give, admin; each includes those before it, and `admin` is for superusers */
                    scopes: ("read" | "give" | "admin")[];
                    /** @description a time in UTC, YYYY-MM-DDTHH:MM:SSZ, or a day at whose beginning it expires; by default it never does */
                    expires_at?: string | null;
                    /** @description the account whose rights it has, and in whose name it gives */
                    username: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedServiceToken"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "deleteApiV1Service-tokensById": {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1MePush: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Push"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1MePush: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description where the push service of the browser takes messages: an https URL of at most 2048 characters */
                    endpoint: string;
                    keys: {
                        /** @description the browser's public key, base64url */
                        p256dh: string;
                        /** @description the browser's secret of 16 bytes, base64url */
                        auth: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description how you recognize the device, 1 to 100 characters; a person has at most 10 devices */
                    name: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushDevice"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1MePushById: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1MeSecond-factors": {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactors"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1MePasskeysOptions: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1MePasskeys: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description that of the options */
                    challenge: string;
                    /** @description what `navigator.credentials.create` returned, as JSON */
                    response: {
                        [key: string]: unknown;
                    };
                    /** @description to tell it from others: 1 to 100 characters */
                    name?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1MeTotp: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSetup"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1MeTotpConfirmation: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the six digits that the app shows now */
                    code: string;
                    /** @description to tell it from others: 1 to 100 characters */
                    name?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "deleteApiV1MeSecond-factorsById": {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactors"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "postApiV1MeRecovery-codes": {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "deleteApiV1UsersByUsernameSecond-factors": {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedFactors"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Me: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    patchApiV1Me: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters */
                    name?: string;
                    /** @description at most 2000 characters */
                    bio?: string | null;
                    /** @description http or https address of an image, or a path of this server's own */
                    avatar?: string | null;
                    /** @description the day of the year, MM-DD */
                    birthday?: string | null;
                    /** @description whether the person wants to be celebrated; null: they have not said, so their anniversaries are named and their birthday is not */
                    celebrates?: boolean | null;
                    /** @enum {string} */
                    mail?: "each" | "daily" | "off";
                    /** @description language of mail; null for that of the service */
                    language?: "de" | "en" | "es" | "fr" | "pt" | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1MePassword: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the present one; a wrong one counts like a failed log-in */
                    current_password: string;
                    /** @description at most 1024 bytes */
                    password: string;
                    /** @description the same again */
                    password_confirm: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    putApiV1MeAvatar: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/*": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    deleteApiV1MeAvatar: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1AvatarsByHash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1People: {
        parameters: {
            query?: {
                fresh?: boolean;
                q?: string;
                department?: string;
                active?: "true" | "false" | "all";
                after?: string;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeoplePage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1PeopleByUsername: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1Transactions.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                separator?: "," | ";";
                username?: string;
                user?: string;
                from_user?: string;
                kind?: "transfer" | "grant" | "allowance" | "expiry" | "redemption" | "refund" | "reversal" | "occasion";
                tag?: string;
                q?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1Users.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                separator?: "," | ";";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1Redemptions.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                separator?: "," | ";";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Suggestions: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suggestions"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1MeTemplates: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Templates"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    putApiV1MeTemplates: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description at most 10, of at most 500 characters each */
                    items: string[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Templates"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1UsersImport: {
        parameters: {
            query?: {
                fresh?: boolean;
                dry_run?: boolean;
                invite?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResult"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Leaderboard: {
        parameters: {
            query?: {
                fresh?: boolean;
                period?: "week" | "month" | "quarter" | "year" | "all";
                by?: "received" | "sent";
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Leaderboard"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Stats: {
        parameters: {
            query?: {
                fresh?: boolean;
                days?: number;
                scope?: "own" | "all";
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnDays"] | components["schemas"]["AllDays"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Wall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wall"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1InsightsParticipation: {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParticipationInsight"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1InsightsOverlooked: {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverlookedInsight"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1InsightsBudgets: {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BudgetsInsight"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1InsightsDepartments: {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepartmentsInsight"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1InsightsTags: {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagsInsight"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1InsightsParticipation.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
                separator?: "," | ";";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1InsightsOverlooked.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
                separator?: "," | ";";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1InsightsBudgets.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
                separator?: "," | ";";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1InsightsDepartments.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
                separator?: "," | ";";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1InsightsTags.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                from?: string;
                to?: string;
                separator?: "," | ";";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Audit: {
        parameters: {
            query?: {
                fresh?: boolean;
                who?: string;
                what?: "login" | "login_failed" | "identity_linked" | "identity_unlinked" | "user_created" | "users_imported" | "exported" | "points_sent" | "points_granted" | "points_reversed" | "reply_hidden" | "reply_shown" | "allowance_added" | "allowance_changed" | "allowance_removed" | "allowance_run" | "programme_changed" | "reward_created" | "reward_changed" | "reward_fulfilled" | "reward_declined" | "profile_changed" | "dept_changed" | "duties_changed" | "dept_renamed" | "manager_changed" | "password_changed" | "user_deactivated" | "user_reactivated" | "user_erased" | "access_ended" | "token_created" | "token_revoked" | "second_factor_added" | "second_factor_removed" | "second_factors_reset" | "recovery_codes_created" | "recovery_code_used" | "webhook_added" | "webhook_changed" | "webhook_removed" | "webhook_replayed" | "webhook_skipped" | "webhook_stopped" | "settings" | "shell" | "backup" | "restore" | "copy";
                from?: string;
                to?: string;
                q?: string;
                before?: number;
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1Audit.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                separator?: "," | ";";
                who?: string;
                what?: "login" | "login_failed" | "identity_linked" | "identity_unlinked" | "user_created" | "users_imported" | "exported" | "points_sent" | "points_granted" | "points_reversed" | "reply_hidden" | "reply_shown" | "allowance_added" | "allowance_changed" | "allowance_removed" | "allowance_run" | "programme_changed" | "reward_created" | "reward_changed" | "reward_fulfilled" | "reward_declined" | "profile_changed" | "dept_changed" | "duties_changed" | "dept_renamed" | "manager_changed" | "password_changed" | "user_deactivated" | "user_reactivated" | "user_erased" | "access_ended" | "token_created" | "token_revoked" | "second_factor_added" | "second_factor_removed" | "second_factors_reset" | "recovery_codes_created" | "recovery_code_used" | "webhook_added" | "webhook_changed" | "webhook_removed" | "webhook_replayed" | "webhook_skipped" | "webhook_stopped" | "settings" | "shell" | "backup" | "restore" | "copy";
                from?: string;
                to?: string;
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1InsightsOutstanding: {
        parameters: {
            query?: {
                fresh?: boolean;
                at?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outstanding"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1InsightsOutstandingMonthly: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutstandingMonths"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1InsightsOutstanding.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                at?: string;
                separator?: "," | ";";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1InsightsOutstandingMonthly.csv": {
        parameters: {
            query?: {
                fresh?: boolean;
                separator?: "," | ";";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file: UTF-8 with BOM, separated by commas unless asked otherwise */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1Recap.png": {
        parameters: {
            query?: {
                fresh?: boolean;
                period?: string;
                language?: "de" | "en" | "es" | "fr" | "pt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture of 1200 by 630 pixels */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    "getApiV1RecapCompany.png": {
        parameters: {
            query?: {
                fresh?: boolean;
                period?: string;
                language?: "de" | "en" | "es" | "fr" | "pt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture of 1200 by 630 pixels */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1Users: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: {
                /** @description a value chosen by the client, under which the request can be repeated safely */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters */
                    name: string;
                    /** @description one plain address of at most 254 characters */
                    email: string;
                    /** @description 1 to 100 characters; `management` makes a superuser */
                    dept: string;
                    /** @description 1 to 64 characters; made from the name when absent or null */
                    username?: string | null;
                    /** @description 1 to 16 characters, by default USD */
                    currency?: string;
                    /** @description false sends no mail with a link to set a password */
                    invite?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1UsersByUsername: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    patchApiV1UsersByUsername: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters */
                    name?: string;
                    /** @description ends the links and refresh tokens from before */
                    email?: string;
                    /** @description the new department; `management` makes a superuser */
                    dept?: string;
                    /** @description username of the person to report to; null for nobody */
                    manager?: string | null;
                    /** @description false ends all access at once */
                    active?: boolean;
                    /** @description the day of the year, MM-DD */
                    birthday?: string | null;
                    /** @description the first day at work, YYYY-MM-DD; it may lie ahead */
                    joined?: string | null;
                    /** @description all duties from then on, some of insights, rewards, people, programme; only superusers give them */
                    duties?: ("insights" | "rewards" | "people" | "programme")[];
                    /** @description with `active: false`: the balance goes to `admin` */
                    return_points?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1UsersByUsernameData: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalData"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    postApiV1UsersByUsernameErasure: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    reasons: "none" | "written" | "all";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getApiV1Health: {
        parameters: {
            query?: {
                fresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"];
                };
            };
        };
    };
    getScimV2Users: {
        parameters: {
            query?: {
                attributes?: string;
                excludedAttributes?: string;
                filter?: string;
                startIndex?: number;
                count?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUsers"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    postScimV2Users: {
        parameters: {
            query?: {
                attributes?: string;
                excludedAttributes?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/scim+json": components["schemas"]["ScimUserRequest"];
            };
        };
        responses: {
            /** @description Done */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUser"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    getScimV2UsersById: {
        parameters: {
            query?: {
                attributes?: string;
                excludedAttributes?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUser"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    putScimV2UsersById: {
        parameters: {
            query?: {
                attributes?: string;
                excludedAttributes?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/scim+json": components["schemas"]["ScimUserRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUser"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    deleteScimV2UsersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    patchScimV2UsersById: {
        parameters: {
            query?: {
                attributes?: string;
                excludedAttributes?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/scim+json": components["schemas"]["ScimPatch"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimUser"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    getScimV2ServiceProviderConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimDescription"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    getScimV2Schemas: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimDescriptions"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    getScimV2SchemasById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimDescription"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    getScimV2ResourceTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimDescriptions"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    getScimV2ResourceTypesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimDescription"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/scim+json": components["schemas"]["ScimError"];
                };
            };
        };
    };
    "transaction.created": {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description when it was sent, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "transaction.created";
                    /**
                     * @description when it happened
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    timestamp: string;
                    data: {
                        id: number;
                        kind: "transfer" | "grant" | "allowance" | "expiry" | "redemption" | "refund" | "reversal" | "occasion";
                        /**
                         * @description UTC, ISO 8601
                         * @example 2026-11-21T12:00:00.123Z
                         */
                        date: string;
                        /** @description points */
                        value: number;
                        from: {
                            username: string;
                            name: string;
                        };
                        to: {
                            username: string;
                            name: string;
                        };
                        /** @description text; null when there is none or the caller may not read it */
                        reason: string | null;
                        tags: string[];
                        /** @description whether only sender and receiver may read the reason */
                        private: boolean;
                        /** @description of a reversal, the id of the transaction whose points it takes back */
                        reverses: number | null;
                        /** @description points that were taken back */
                        reversed: number;
                        /** @description of a transfer that thanks several people at once, the id of the first of these transfers */
                        group: number | null;
                        /** @description of a transfer that adds points to somebody's recognition, the id of that recognition */
                        adds_to: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description It was received. Any other answer is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "transaction.reversed": {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description when it was sent, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "transaction.reversed";
                    /**
                     * @description when it happened
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    timestamp: string;
                    data: {
                        id: number;
                        kind: "transfer" | "grant" | "allowance" | "expiry" | "redemption" | "refund" | "reversal" | "occasion";
                        /**
                         * @description UTC, ISO 8601
                         * @example 2026-11-21T12:00:00.123Z
                         */
                        date: string;
                        /** @description points */
                        value: number;
                        from: {
                            username: string;
                            name: string;
                        };
                        to: {
                            username: string;
                            name: string;
                        };
                        /** @description text; null when there is none or the caller may not read it */
                        reason: string | null;
                        tags: string[];
                        /** @description whether only sender and receiver may read the reason */
                        private: boolean;
                        /** @description of a reversal, the id of the transaction whose points it takes back */
                        reverses: number | null;
                        /** @description points that were taken back */
                        reversed: number;
                        /** @description of a transfer that thanks several people at once, the id of the first of these transfers */
                        group: number | null;
                        /** @description of a transfer that adds points to somebody's recognition, the id of that recognition */
                        adds_to: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description It was received. Any other answer is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "user.created": {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description when it was sent, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "user.created";
                    /**
                     * @description when it happened
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    timestamp: string;
                    data: {
                        /** @description stays when an erasure changes the user name */
                        id: number;
                        username: string;
                        name: string;
                        email: string;
                        /** @description department */
                        dept: string;
                        active: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description It was received. Any other answer is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "user.updated": {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description when it was sent, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "user.updated";
                    /**
                     * @description when it happened
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    timestamp: string;
                    data: {
                        /** @description stays when an erasure changes the user name */
                        id: number;
                        username: string;
                        name: string;
                        email: string;
                        /** @description department */
                        dept: string;
                        active: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description It was received. Any other answer is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "user.deactivated": {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description when it was sent, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "user.deactivated";
                    /**
                     * @description when it happened
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    timestamp: string;
                    data: {
                        /** @description stays when an erasure changes the user name */
                        id: number;
                        username: string;
                        name: string;
                        email: string;
                        /** @description department */
                        dept: string;
                        active: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description It was received. Any other answer is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "occasion.celebrated": {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description when it was sent, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "occasion.celebrated";
                    /**
                     * @description when it happened
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    timestamp: string;
                    data: {
                        /** @description of its entry in the feed */
                        id: number;
                        kind: "birthday" | "anniversary" | "first_day";
                        /** @description of an anniversary; null otherwise */
                        years: number | null;
                        person: {
                            username: string;
                            name: string;
                        };
                        /** @description points; 0 for none */
                        value: number;
                        /** @description what the feed says */
                        text: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description It was received. Any other answer is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "redemption.requested": {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description when it was sent, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "redemption.requested";
                    /**
                     * @description when it happened
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    timestamp: string;
                    data: {
                        id: number;
                        /** @description id of the reward */
                        reward: number;
                        /** @description as it was at that time */
                        reward_name: string;
                        username: string;
                        name: string;
                        /** @description points */
                        cost: number;
                        state: "requested" | "fulfilled" | "declined";
                        /**
                         * @description UTC, ISO 8601
                         * @example 2026-11-21T12:00:00.123Z
                         */
                        date: string;
                        /** @description text */
                        comment: string | null;
                        /** @description text */
                        answer: string | null;
                        /** @description id of the transaction that took the points */
                        transaction: number;
                    };
                };
            };
        };
        responses: {
            /** @description It was received. Any other answer is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "redemption.fulfilled": {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description when it was sent, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "redemption.fulfilled";
                    /**
                     * @description when it happened
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    timestamp: string;
                    data: {
                        id: number;
                        /** @description id of the reward */
                        reward: number;
                        /** @description as it was at that time */
                        reward_name: string;
                        username: string;
                        name: string;
                        /** @description points */
                        cost: number;
                        state: "requested" | "fulfilled" | "declined";
                        /**
                         * @description UTC, ISO 8601
                         * @example 2026-11-21T12:00:00.123Z
                         */
                        date: string;
                        /** @description text */
                        comment: string | null;
                        /** @description text */
                        answer: string | null;
                        /** @description id of the transaction that took the points */
                        transaction: number;
                    };
                };
            };
        };
        responses: {
            /** @description It was received. Any other answer is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "redemption.declined": {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the event, the same in every attempt */
                "webhook-id": string;
                /** @description when it was sent, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and HMAC-SHA256 in base64; during a rotation two, separated by a space */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "redemption.declined";
                    /**
                     * @description when it happened
                     * @example 2026-11-21T12:00:00.123Z
                     */
                    timestamp: string;
                    data: {
                        id: number;
                        /** @description id of the reward */
                        reward: number;
                        /** @description as it was at that time */
                        reward_name: string;
                        username: string;
                        name: string;
                        /** @description points */
                        cost: number;
                        state: "requested" | "fulfilled" | "declined";
                        /**
                         * @description UTC, ISO 8601
                         * @example 2026-11-21T12:00:00.123Z
                         */
                        date: string;
                        /** @description text */
                        comment: string | null;
                        /** @description text */
                        answer: string | null;
                        /** @description id of the transaction that took the points */
                        transaction: number;
                    };
                };
            };
        };
        responses: {
            /** @description It was received. Any other answer is retried for three days. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
