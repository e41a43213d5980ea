import torch
from torch.utils.data import DataLoader
from datasets import load_dataset
from transformers import AutoTokenizer, DataCollatorWithPadding


def main():
    tok = AutoTokenizer.from_pretrained("bert-base-uncased")
    ds = load_dataset("imdb", split="train").map(lambda r: tok(r["text"], truncation=True), batched=True)
    train_dataloader = DataLoader(ds, batch_size=16, collate_fn=DataCollatorWithPadding(tok))
    gpu_batches = []
    for step, batch in enumerate(train_dataloader):
        batch = {k: v.to("cuda") for k, v in batch.items()}
        gpu_batches.append(int(batch["input_ids"].numel()))
    print(len(gpu_batches), torch.cuda.memory_allocated())


main()
