-- Requests of many people for wrk: wrk -s load.lua URL -- WHAT bearer|session FILE PAGES PAUSE
-- FILE has one line for each person: username, token and session id, separated by tabs. Depending on WHAT (transfers,
-- pages, users or balances), a request sends a random value (1 to 100) from one random person to another, reads one of
-- the first PAGES pages as a random viewer, reads a random user, or reads the caller's own balance. With the prefix
-- `pocketbase-`, the first three ask the same of bench/pocketbase/. Each connection pauses before each request, PAUSE
-- milliseconds on average.

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init(args)
  local what, credential, file, pages, pause = args[1], args[2], args[3], tonumber(args[4]), tonumber(args[5])
  math.randomseed(os.time() * 64 + number)

  local names, heads = {}, {}
  local host = "Host: " .. wrk.host .. ":" .. wrk.port .. "\r\n"
  for line in io.lines(file) do
    local name, token, session = line:match("([^\t]*)\t([^\t]*)\t([^\t]*)")
    names[#names + 1] = name
    local credentials = credential == "bearer" and "Authorization: Bearer " .. token or "Cookie: session_id=" .. session
    heads[#heads + 1] = host .. credentials .. "\r\n"
  end

  local random, people = math.random, #names
  local function get(path)
    return "GET " .. path .. " HTTP/1.1\r\n" .. heads[random(people)] .. "\r\n"
  end
  local function send(path)
    local body = '{"value":' .. random(100) .. "}"
    return "POST " .. path .. " HTTP/1.1\r\n" .. heads[random(people)] ..
      "Content-Type: application/json\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
  end
  local function balance()
    local own = random(people)
    return "GET /user/" .. names[own] .. "/?show_balance=true HTTP/1.1\r\n" .. heads[own] .. "\r\n"
  end
  local records = "/api/collections/%s/records"
  local page = records:format("transactions") .. "?perPage=50&sort=-created&expand=sender,receiver&page="
  local user = records:format("users") .. "/"
  request = ({
    transfers = function() return send("/transaction/" .. names[random(people)] .. "/") end,
    pages = function() return get("/transaction/?page=" .. random(pages)) end,
    users = function() return get("/user/" .. names[random(people)] .. "/") end,
    balances = balance,
    ["pocketbase-transfers"] = function() return send("/api/transfers/" .. names[random(people)]) end,
    ["pocketbase-pages"] = function() return get(page .. random(pages)) end,
    ["pocketbase-users"] = function() return get(user .. names[random(people)]) end,
  })[what]
  if pause > 0 then delay = function() return random(0, 2 * pause) end end
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    'measured {"requests":%d,"us":%d,"p50":%d,"p99":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
