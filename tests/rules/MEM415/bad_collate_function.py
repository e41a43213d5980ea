# A collate function by its use: it gets all texts of a batch, and pads them to the number of a constant.

from torch.utils.data import DataLoader
from transformers import AutoTokenizer

MAX_LENGTH = 384
tokenizer = AutoTokenizer.from_pretrained("roberta-base")


def together(rows):
    texts = [row["text"] for row in rows]
    return tokenizer.batch_encode_plus(  #! MEM415 advice
        texts, padding="max_length", truncation=True, max_length=MAX_LENGTH, return_tensors="pt"
    )


def loader(rows):
    return DataLoader(rows, batch_size=32, collate_fn=together)
