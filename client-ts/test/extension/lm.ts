/** The models of an editor for the tests. */

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}
export class LanguageModelToolCallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}
export class LanguageModelToolResultPart {
  constructor(
    readonly callId: string,
    readonly content: readonly unknown[],
  ) {}
}
export class LanguageModelError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}
export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 };
export class LanguageModelChatMessage {
  constructor(
    readonly role: number,
    readonly content: readonly unknown[],
  ) {}
}
export const LanguageModelDataPart = {
  image: (data: Uint8Array, mime: string) => ({ picture: Buffer.from(data).toString("base64"), mime }),
};

/** A model that a test makes say something. */
export interface FakeModel {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly maxInputTokens: number;
  readonly sendRequest: (messages: readonly unknown[], options: unknown, token: unknown) => Promise<{ stream: AsyncIterable<unknown> }>;
}

export const lm = {
  models: [] as FakeModel[],
  selectChatModels: ({ id }: { id?: string }): Promise<FakeModel[]> =>
    Promise.resolve(lm.models.filter((each) => id === undefined || each.id === id)),
  listeners: new Set<() => void>(),
  onDidChangeChatModels: (listener: () => void): { dispose: () => void } => {
    lm.listeners.add(listener);
    return { dispose: () => lm.listeners.delete(listener) };
  },
};
