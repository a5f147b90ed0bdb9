-- Sends the lines of a file in turn, over and over; prints what was measured as one JSON line.
-- wrk -s load.lua URL -- BODIES [HEADER VALUE …]
local requests, turn = {}, 0

function init(args)
  local headers = {}
  for i = 2, #args, 2 do headers[args[i]] = args[i + 1] end
  for body in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("POST", nil, headers, body)
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"duration_us":%d,"bytes":%d,"p50_us":%d,"p99_us":%d,"max_us":%d,"failed":%d}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50),
    latency:percentile(99), latency.max, e.connect + e.read + e.write + e.status + e.timeout))
end
