-- Assent in Neovim (0.7.2 and later): shows each card as text and takes a person's answer.
--
--   require("assent").setup({})        starts the server for the current folder
--   :Assent eliza run date             opens a chat and says that
--
-- A card opens in a window beside: there `a` allows it once, and `d` denies it. Closing the window
-- answers nothing.

local M = { tickets = {}, settled = {}, chats = {} }

-- What draws the card, and no part of what it says.
local UNSAID = {
  options = true, primary = true, agentId = true, uri = true, kind = true, parts = true,
  readable = true, oldStart = true, newStart = true,
}

local function is(value)
  return value ~= nil and value ~= vim.NIL and value ~= "" and value ~= false
end

-- Spans as one text; what would not be seen is drawn in its place.
local function joined(spans)
  local texts = {}
  for _, span in ipairs(spans) do
    table.insert(texts, is(span.shown) and span.shown or span.text)
  end
  return table.concat(texts)
end

-- A text as lines of the buffer; only the first begins at the edge, so that none looks like ours.
local function add(lines, text)
  for at, line in ipairs(vim.split(text, "\n", { plain = true })) do
    table.insert(lines, at == 1 and line or "  | " .. line)
  end
end

local KINDS = { plain = true, code = true, danger = true, hidden = true, spaces = true }

local function is_spans(value)
  return type(value) == "table" and type(value[1]) == "table" and KINDS[value[1].kind] == true
end

-- The name of a row, which is spans or a text.
local function named(value)
  return type(value) == "table" and joined(value) or value
end

local function draw(lines, name, value)
  if is_spans(value) then
    add(lines, name .. ": " .. joined(value))
  elseif type(value) == "table" and value.sign ~= nil then
    add(lines, value.sign .. joined(value.text))
  elseif type(value) == "table" and value.name ~= nil then
    draw(lines, named(value.name), value.value or value.text or "")
  elseif vim.tbl_islist(value) then
    for _, each in ipairs(value) do
      draw(lines, name, each)
    end
  elseif type(value) == "table" then
    local names = vim.tbl_keys(value)
    table.sort(names)
    for _, key in ipairs(names) do
      if not UNSAID[key] then
        draw(lines, key, value[key])
      end
    end
  elseif is(value) then
    add(lines, name .. ": " .. tostring(value))
  end
end

local function option(card, kind)
  for _, each in ipairs(card.options) do
    if each.kind == kind then
      return each
    end
  end
end

local function lines_of(card)
  local lines = {}
  add(lines, card.agentName .. ": " .. joined(card.title))
  for _, name in ipairs({ "level", "consequence", "body", "members", "touches" }) do
    draw(lines, name, card[name])
  end
  draw(lines, "because", card.because.text)
  draw(lines, "rule", card.because.rule)
  draw(lines, "written in", card.because.source)
  draw(lines, "in the agent's own words", card.says)
  local yes, no = option(card, "allowOnce"), option(card, "denyOnce")
  add(lines, "")
  add(lines, (yes and "[a] " .. yes.label .. "  " or "") .. (no and "[d] " .. no.label or ""))
  return lines
end

local function close(ticket)
  if ticket and vim.api.nvim_buf_is_valid(ticket.buffer) then
    vim.api.nvim_buf_delete(ticket.buffer, { force = true })
  end
end

-- Answer a card as it is shown now; the receipt says what came of it.
local function answer(ticket, kind)
  local request = ticket.request
  local chosen = option(request.card, kind)
  if not chosen then
    return
  end
  ticket.client.request("tool/approvalResponse", {
    approvalId = request.approvalId,
    chatId = request.chatId or vim.NIL,
    revision = request.revision,
    digest = request.digest,
    optionId = chosen.id,
    shownMs = math.max(0, math.floor(vim.loop.now() - ticket.since)),
  }, function(failure, receipt)
    local said = failure and failure.message or receipt.because
    if failure or receipt.kind ~= "applied" then
      vim.notify("Assent: " .. (said or receipt.kind), vim.log.levels.WARN)
    end
  end)
end

local function show(client, request)
  close(M.tickets[request.approvalId])
  local buffer = vim.api.nvim_create_buf(false, true)
  local ticket = { client = client, request = request, buffer = buffer, since = vim.loop.now() }
  M.tickets[request.approvalId] = ticket
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines_of(request.card))
  vim.bo[buffer].modifiable = false
  for key, kind in pairs({ a = "allowOnce", d = "denyOnce" }) do
    vim.keymap.set("n", key, function()
      answer(ticket, kind)
    end, { buffer = buffer, nowait = true })
  end
  -- Nobody who is typing answers by accident: the card waits beside, until they go there.
  vim.cmd("botright sbuffer " .. buffer .. " | wincmd p")
end

local function settle(told)
  close(M.tickets[told.approvalId])
  M.tickets[told.approvalId] = nil
  table.insert(M.settled, told)
  vim.notify("Assent: " .. told.outcome .. ". " .. told.because)
end

local function ask(name, params, done)
  M.client.request(name, params, function(failure, result)
    if failure then
      vim.notify("Assent: " .. failure.message, vim.log.levels.ERROR)
    elseif done then
      done(result)
    end
  end)
end

-- Open a chat with an agent, and say something in it.
function M.say(agent, text)
  ask("agent/newChat", { agentId = agent }, function(chat)
    table.insert(M.chats, chat.chatId)
    ask("agent/prompt", { chatId = chat.chatId, text = text })
  end)
end

function M.setup(options)
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.experimental = { assent = vim.empty_dict() }
  local handlers = {
    ["tool/approvalRequest"] = function(_, request)
      show(M.client, request)
    end,
    ["tool/approvalSettled"] = function(_, told)
      settle(told)
    end,
    ["agent/event"] = function() end,
  }
  vim.lsp.start_client({
    name = "assent",
    cmd = options.cmd or { "assent", "serve", "--stdio" },
    root_dir = options.root or vim.fn.getcwd(),
    capabilities = capabilities,
    handlers = handlers,
    on_init = function(client)
      M.client = client
      ask("agent/subscribe", { viewId = "nvim", have = vim.NIL }, function(told)
        for _, request in ipairs(is(told.snapshot) and told.snapshot.tickets or {}) do
          show(client, request)
        end
        if options.ready then
          options.ready()
        end
      end)
    end,
  })
  vim.api.nvim_create_user_command("Assent", function(given)
    local agent, text = given.args:match("^(%S+)%s+(.+)$")
    M.say(agent or "eliza", text or given.args)
  end, { nargs = "+" })
end

return M
