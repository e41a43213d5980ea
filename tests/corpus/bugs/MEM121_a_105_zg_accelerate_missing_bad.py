import torch
from accelerate import Accelerator
from tqdm.auto import tqdm


def training_function(config, model, train_dataloader):
    accelerator = Accelerator(mixed_precision="bf16")
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"])
    model, optimizer, train_dataloader = accelerator.prepare(model, optimizer, train_dataloader)
    progress = tqdm(range(config["num_epochs"] * len(train_dataloader)))
    for epoch in range(config["num_epochs"]):
        model.train()
        for step, batch in enumerate(train_dataloader):
            outputs = model(**batch)
            loss = outputs.loss
            accelerator.backward(loss)  #! MEM121
            optimizer.step()
            progress.update(1)
        accelerator.print(f"epoch {epoch}: loss {loss.item():.4f}")
