from datasets import load_dataset


def load(tok):
    ds = load_dataset("imdb")
    ds = ds.map(lambda b: tok(b["text"], truncation=True), batched=True)
    return ds["train"], ds["test"]
