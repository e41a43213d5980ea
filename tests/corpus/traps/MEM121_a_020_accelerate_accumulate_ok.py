import torch
from accelerate import Accelerator


def main(model, train_dl, eval_dl, epochs=3):
    accelerator = Accelerator(gradient_accumulation_steps=8)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
    model, optimizer, train_dl, eval_dl = accelerator.prepare(model, optimizer, train_dl, eval_dl)
    for epoch in range(epochs):
        model.train()
        train_loss = 0.0
        for batch in train_dl:
            with accelerator.accumulate(model):
                loss = model(**batch).loss
                avg_loss = accelerator.gather(loss.repeat(8)).mean()
                train_loss += avg_loss.item() / 8
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
        model.eval()
        losses = []
        for batch in eval_dl:
            with torch.no_grad():
                out = model(**batch)
            losses.append(accelerator.gather_for_metrics(out.loss.repeat(8)))
        accelerator.print(epoch, train_loss, torch.cat(losses).mean())
