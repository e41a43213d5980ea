from datasets import load_dataset


def blocks(split):
    return load_dataset("wikitext", "wikitext-2-v1", split=split)
