# Few different shapes, none longer than it has to be.

from torch.utils.data import DataLoader
from transformers import DataCollatorForTokenClassification


def loader(rows, tokenizer):
    collate = DataCollatorForTokenClassification(tokenizer, padding="longest", pad_to_multiple_of=8)
    return DataLoader(rows, batch_size=16, collate_fn=collate)
