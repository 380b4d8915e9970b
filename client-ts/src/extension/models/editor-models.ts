/**
 * The editor's own models, for the server's agent: listed, asked, and their replies told in pieces.
 *
 * Nothing is decided here. An editor that knows no models lists none.
 */

import type { CancellationToken, Disposable, LanguageModelChat, LanguageModelChatTool, LanguageModelInputPart } from "vscode";
import type { AskModel, EditorModels, ModelAnswered, ModelMessage, ModelSaid } from "../../shared/protocol";
import type { Request } from "../server/bridge";
import { beginningOf } from "../editor/inert-text";
import {
  LanguageModelChatMessage,
  LanguageModelChatMessageRole,
  LanguageModelDataPart,
  LanguageModelError,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  LanguageModelToolResultPart,
  lm,
} from "../editor/vscode";

type Piece = ModelSaid["parts"][number];
type Part = ModelMessage["parts"][number];

const MAX_MODELS = 100;
const MAX_WORDS_LETTERS = 4_000;
/** So many parts are told in one message at most; a fast model says thousands. */
const MAX_PARTS_A_MESSAGE = 200;

/** The way to them, for as long as the window is there. */
export class ModelBridge implements Disposable {
  readonly #request: Request;
  readonly #listener: Disposable | undefined;

  constructor(request: Request) {
    this.#request = request;
    this.#listener = lm?.onDidChangeChatModels(() => this.#tell("model/changed", {}));
  }

  dispose(): void {
    this.#listener?.dispose();
  }

  /** The models that the editor has. */
  async list(): Promise<EditorModels> {
    const found = (await lm?.selectChatModels({})) ?? [];
    const models = found
      .slice(0, MAX_MODELS)
      .map(({ id, name, vendor, family, maxInputTokens }) => ({ id, name, vendor, family, window: maxInputTokens }));
    return { models, showsPictures: true };
  }

  /** Ask one of them, and tell what it says as it says it. */
  async ask(asked: AskModel, token: CancellationToken): Promise<ModelAnswered> {
    let pieces = 0;
    const teller = new Teller((parts) => {
      pieces += 1;
      this.#tell("model/said", { askId: asked.askId, parts });
    });
    const model = (await lm?.selectChatModels({ id: asked.modelId }))?.[0];
    if (model === undefined) return { pieces, trouble: "notFound", because: "" };
    try {
      await reply(model, asked, teller, token);
      teller.flush();
      return { pieces, trouble: null, because: "" };
    } catch (error) {
      teller.flush();
      return { pieces, ...troubleOf(error) };
    }
  }

  /** A server that has just ended needs it no more. */
  #tell(method: "model/said" | "model/changed", params: unknown): void {
    void this.#request(method, params).catch(() => undefined);
  }
}

async function reply(
  model: LanguageModelChat,
  { messages, tools, because }: AskModel,
  teller: Teller,
  token: CancellationToken,
): Promise<void> {
  const options = {
    justification: because,
    tools: tools.map(
      ({ name, says, arguments: inputSchema }): LanguageModelChatTool => ({
        name,
        description: says,
        inputSchema: JSON.parse(inputSchema) as object,
      }),
    ),
  };
  const { stream } = await model.sendRequest(messages.map(messageOf), options, token);
  for await (const part of stream) {
    if (part instanceof LanguageModelTextPart) {
      teller.say({ kind: "text", text: part.value });
    } else if (part instanceof LanguageModelToolCallPart) {
      teller.say({ kind: "call", id: part.callId, name: part.name, input: JSON.stringify(part.input) });
    }
  }
}

/** Tells parts that come at once together: each message costs more than a part. */
class Teller {
  readonly #tell: (parts: Piece[]) => void;
  #parts: Piece[] = [];

  constructor(tell: (parts: Piece[]) => void) {
    this.#tell = tell;
  }

  say(part: Piece): void {
    if (this.#parts.length === 0) setImmediate(() => this.flush());
    this.#parts.push(part);
    if (this.#parts.length >= MAX_PARTS_A_MESSAGE) this.flush();
  }

  flush(): void {
    const parts = this.#parts;
    this.#parts = [];
    if (parts.length > 0) this.#tell(parts);
  }
}

function messageOf({ role, parts }: ModelMessage): LanguageModelChatMessage {
  const { User, Assistant } = LanguageModelChatMessageRole;
  return new LanguageModelChatMessage(role === "user" ? User : Assistant, parts.map(partOf));
}

function partOf(part: Part): LanguageModelInputPart {
  switch (part.kind) {
    case "text":
      return new LanguageModelTextPart(part.text);
    case "call":
      return new LanguageModelToolCallPart(part.id, part.name, JSON.parse(part.input) as object);
    case "result":
      return new LanguageModelToolResultPart(part.id, [new LanguageModelTextPart(part.text)]);
    case "picture":
      return LanguageModelDataPart.image(Buffer.from(part.data, "base64"), part.mime);
  }
}

/** By what the editor says of it; a broken picture is rejected with an event that says nothing. */
function troubleOf(error: unknown): Pick<ModelAnswered, "trouble" | "because"> {
  const because = beginningOf(error instanceof Error ? error.message : "it gave no reason", MAX_WORDS_LETTERS);
  const code = error instanceof LanguageModelError ? error.code : "";
  const troubles: Readonly<Record<string, ModelAnswered["trouble"]>> = {
    NoPermissions: "noPermission",
    NotFound: "notFound",
    Blocked: "blocked",
  };
  return { trouble: troubles[code] ?? "failed", because };
}
