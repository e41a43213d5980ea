import torch
from transformers import BertForSequenceClassification, get_linear_schedule_with_warmup


def main():
    device = torch.device("cuda")
    n_gpu = torch.cuda.device_count()
    model = BertForSequenceClassification.from_pretrained("bert-base-uncased").to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
    scheduler = get_linear_schedule_with_warmup(optimizer, 10, 100)
    if n_gpu > 1:
        model = torch.nn.DataParallel(model)  #! MEM601
    model.train()
    for step, batch in enumerate(torch.load("batches.pt", map_location="cpu")):
        loss = model(**{k: v.to(device) for k, v in batch.items()}).loss
        if n_gpu > 1:
            loss = loss.mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
