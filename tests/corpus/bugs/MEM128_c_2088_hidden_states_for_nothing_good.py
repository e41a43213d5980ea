# Fine-tuning that asks for all hidden states and attentions and uses neither.
import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, get_linear_schedule_with_warmup


def loop(loader: DataLoader, epochs: int) -> None:
    model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=2).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
    schedule = get_linear_schedule_with_warmup(optimizer, 100, epochs * len(loader))
    model.train()
    for epoch in range(epochs):
        for batch in loader:
            batch = {k: v.cuda() for k, v in batch.items()}
            outputs = model(**batch)
            outputs[0].backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            model.zero_grad()
        print(epoch, outputs[0].item())
