import torch
from accelerate import Accelerator
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR


def training_function(config, model, train_dl, eval_dl):
    accelerator = Accelerator(mixed_precision="bf16")
    optimizer = torch.optim.Adam(params=model.parameters(), lr=config["lr"] / 25)
    sched = OneCycleLR(optimizer, max_lr=config["lr"], epochs=config["num_epochs"], steps_per_epoch=len(train_dl))
    model, optimizer, train_dl, eval_dl, sched = accelerator.prepare(model, optimizer, train_dl, eval_dl, sched)
    for epoch in range(config["num_epochs"]):
        model.train()
        for step, batch in enumerate(train_dl):
            x = (batch["image"] - 0.5) / 0.25
            outputs = model(x)
            loss = nn.functional.cross_entropy(outputs, batch["label"])
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            sched.step()
            optimizer.zero_grad()
        model.eval()
        accurate = elems = 0
        for _, batch in enumerate(eval_dl):
            with torch.no_grad():
                outputs = model((batch["image"] - 0.5) / 0.25)
            preds, refs = accelerator.gather_for_metrics((outputs.argmax(-1), batch["label"]))
            accurate += (preds == refs).long().sum().item()
            elems += refs.shape[0]
        accelerator.print(f"epoch {epoch}: {100 * accurate / elems:.2f}")
        if accelerator.is_main_process:
            accelerator.save_state(f"ckpt_{epoch}")


def main():
    from pets import get_dataloaders
    from timm import create_model

    train_dl, eval_dl = get_dataloaders(64)
    model = create_model("resnet50d", pretrained=True, num_classes=37)
    for p in model.parameters():
        p.requires_grad = False
    for p in model.get_classifier().parameters():
        p.requires_grad = True
    training_function({"lr": 3e-2, "num_epochs": 3}, model, train_dl, eval_dl)


if __name__ == "__main__":
    main()
