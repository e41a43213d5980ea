"""BERT classifier of a tutorial: the data set tokenises each text, the loader has no workers."""
import torch
from torch.utils.data import DataLoader, RandomSampler, Dataset
from transformers import BertForSequenceClassification, BertTokenizerFast, get_linear_schedule_with_warmup

MAX_LEN = 160
BATCH_SIZE = 16


class GPReviewDataset(Dataset):
    def __init__(self, reviews, targets, tokenizer, max_len):
        self.reviews, self.targets, self.tokenizer, self.max_len = reviews, targets, tokenizer, max_len

    def __len__(self):
        return len(self.reviews)

    def __getitem__(self, item):
        enc = self.tokenizer.encode_plus(str(self.reviews[item]), max_length=self.max_len, padding="max_length",
                                         truncation=True, return_tensors="pt")
        return {"ids": enc["input_ids"].flatten(), "mask": enc["attention_mask"].flatten(),
                "y": torch.tensor(self.targets[item])}


def create_data_loader(df, tokenizer, max_len, batch_size):
    ds = GPReviewDataset(df.content.to_numpy(), df.sentiment.to_numpy(), tokenizer, max_len)
    return DataLoader(ds, batch_size=batch_size, sampler=RandomSampler(ds))  #! MEM401


def train_epoch(model, loader, optimizer, device, scheduler):
    model = model.train()
    for d in loader:
        out = model(d["ids"].to(device), attention_mask=d["mask"].to(device), labels=d["y"].to(device))
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()


def main(df):
    tok = BertTokenizerFast.from_pretrained("bert-base-cased")
    loader = create_data_loader(df, tok, MAX_LEN, BATCH_SIZE)
    model = BertForSequenceClassification.from_pretrained("bert-base-cased").cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-5)
    for epoch in range(10):
        train_epoch(model, loader, opt, "cuda", get_linear_schedule_with_warmup(opt, 0, 1000))


if __name__ == "__main__":
    import pandas as pd

    main(pd.read_csv("reviews.csv"))
