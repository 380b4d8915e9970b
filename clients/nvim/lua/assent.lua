-- Assent in Neovim (0.7.2 and later): shows each card as text and takes a person's answer.
--
--   require("assent").setup({})        starts the server for the current folder
--   :Assent eliza run date             opens a chat and says that
--
-- A card opens in a window beside: there `a` allows it once, and `d` denies it; what is high is
-- asked once more. Closing the window answers nothing.

local M = { tickets = {}, settled = {}, chats = {}, cards = {} }

-- For so long after a card was shown, or the cursor came to it, a key was meant for something else.
local STILL_MS = 500

-- Milliseconds, counted from some moment.
function M.now()
  return vim.loop.hrtime() / 1e6
end

-- What draws the card, and no part of what it says.
local UNSAID = {
  options = true, primary = true, agentId = true, uri = true, kind = true, readable = true,
  oldStart = true, newStart = true,
}

local YES = { "allowOnce" }
local NO = { "denyOnce", "keepAsking", "keepOff", "skip", "cancel" }

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

-- Spans or a text, as a text.
local function plain(value)
  return type(value) == "table" and joined(value) or (is(value) and tostring(value) or "")
end

-- A text that an agent may have written, whole: none of its lines begins at the edge.
local function within(lines, text)
  for _, line in ipairs(text and vim.split(text, "\n", { plain = true }) or {}) do
    table.insert(lines, "  | " .. line)
  end
end

-- What an entry of a list says, where it is a row, a changed line, or a part of a command.
local function entry(value)
  if type(value) ~= "table" or is_spans(value) then
    return nil
  elseif value.sign ~= nil then
    return value.sign .. joined(value.text)
  elseif value.verdict ~= nil then
    local why = { value.verdict, plain(value.because), plain(value.rule), plain(value.source) }
    local said = table.concat(vim.tbl_filter(is, why), " · ")
    return value.operator .. joined(value.text) .. "\n    " .. said
  elseif value.name ~= nil then
    return plain(value.name) .. ": " .. plain(value.value or value.text)
  end
end

local function draw(lines, name, value)
  if is_spans(value) then
    add(lines, name .. ": " .. joined(value))
  elseif type(value) == "table" and vim.tbl_islist(value) then
    if entry(value[1]) then
      add(lines, name .. ":")
    end
    for _, each in ipairs(value) do
      within(lines, entry(each))
      draw(lines, name, not entry(each) and each)
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

-- The first option of one of these kinds.
local function option(card, kinds)
  for _, kind in ipairs(kinds) do
    for _, each in ipairs(card.options) do
      if each.kind == kind then
        return each
      end
    end
  end
end

local function lines_of(card)
  local lines = {}
  add(lines, card.agentName .. ": " .. joined(card.title))
  draw(lines, "chat", card.chatTitle)
  for _, name in ipairs({ "mode", "level", "consequence", "body", "members", "touches" }) do
    draw(lines, name, card[name])
  end
  draw(lines, "because", card.because.text)
  draw(lines, "rule", card.because.rule)
  draw(lines, "written in", card.because.source)
  draw(lines, "in the agent's own words", card.says)
  local yes, no = option(card, YES), option(card, NO)
  add(lines, "")
  add(lines, (yes and "[a] " .. yes.label .. "  " or "") .. (no and "[d] " .. no.label or ""))
  return lines
end

local function is_own(window)
  return window ~= 0
    and vim.api.nvim_win_get_config(window).relative == ""
    and not M.cards[vim.api.nvim_win_get_buf(window)]
end

-- Put the cursor into a window that is the person's own and never into another card's.
local function go_home()
  local windows = vim.api.nvim_tabpage_list_wins(0)
  table.insert(windows, 1, vim.fn.win_getid(vim.fn.winnr("#")))
  for _, window in ipairs(windows) do
    if is_own(window) then
      return vim.api.nvim_set_current_win(window)
    end
  end
  vim.cmd("topleft new")
end

local function close(ticket)
  if ticket and vim.api.nvim_buf_is_valid(ticket.buffer) then
    if vim.api.nvim_get_current_buf() == ticket.buffer then
      go_home()
    end
    vim.api.nvim_buf_delete(ticket.buffer, { force = true })
    M.cards[ticket.buffer] = nil
  end
end

-- Of what is high a person is asked once more, by a key that is not the one they just pressed.
local function is_sure(card, chosen)
  if card.level ~= "high" or chosen.kind ~= "allowOnce" then
    return true
  end
  local lines = {}
  add(lines, card.agentName .. ": " .. joined(card.title))
  add(lines, is(card.consequence) and card.consequence or card.because.text)
  add(lines, chosen.label .. "?")
  local at = M.now()
  local pressed = vim.fn.confirm(table.concat(lines, "\n"), "&No\n&Yes", 1, "Warning")
  return pressed == 2 and M.now() - at >= STILL_MS
end

-- Answer a card as it is shown now; the receipt says what came of it.
local function answer(ticket, kinds)
  local request = ticket.request
  local chosen = option(request.card, kinds)
  if not chosen or ticket.sent or M.now() - math.max(ticket.since, ticket.entered) < STILL_MS then
    return
  end
  -- While the second question was open the card may have changed, or gone.
  if not is_sure(request.card, chosen) or M.tickets[request.approvalId] ~= ticket then
    return
  end
  ticket.sent = true
  ticket.client.request("tool/approvalResponse", {
    approvalId = request.approvalId,
    chatId = request.chatId or vim.NIL,
    revision = request.revision,
    digest = request.digest,
    optionId = chosen.id,
    shownMs = math.floor(M.now() - ticket.since),
  }, function(failure, receipt)
    local said = failure and failure.message or receipt.because
    if failure or receipt.kind ~= "applied" then
      ticket.sent = false
      vim.notify("Assent: " .. (said or receipt.kind), vim.log.levels.WARN)
    end
  end)
end

local function show(client, request)
  close(M.tickets[request.approvalId])
  local buffer = vim.api.nvim_create_buf(false, true)
  local at = M.now()
  local ticket = { client = client, request = request, buffer = buffer, since = at, entered = at }
  M.tickets[request.approvalId] = ticket
  M.cards[buffer] = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines_of(request.card))
  vim.bo[buffer].modifiable = false
  for key, kinds in pairs({ a = YES, d = NO }) do
    vim.keymap.set("n", key, function()
      answer(ticket, kinds)
    end, { buffer = buffer, nowait = true })
  end
  for event, since in pairs({ BufWinEnter = "since", BufEnter = "entered", WinEnter = "entered" }) do
    local function note()
      ticket[since] = M.now()
    end
    vim.api.nvim_create_autocmd(event, { buffer = buffer, callback = note })
  end
  -- Nobody who is typing answers by accident: the card waits beside, until they go there.
  local own = vim.api.nvim_get_current_win()
  if not pcall(vim.cmd, "botright sbuffer " .. buffer) then
    vim.notify("Assent: there is no room for a card; make some, then :sbuffer " .. buffer)
  end
  vim.api.nvim_set_current_win(own)
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
        for _, id in ipairs(is(told.snapshot) and told.snapshot.more or {}) do
          ask("tool/card", { approvalId = id }, function(shown)
            if is(shown.request) then
              show(client, shown.request)
            end
          end)
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
