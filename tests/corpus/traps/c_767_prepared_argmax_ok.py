from transformers import AutoModelForMaskedLM, Trainer, TrainingArguments


def shrink(logits, labels):
    return logits.argmax(-1)


def metrics(p):
    keep = p.label_ids != -100
    return {"acc": float((p.predictions == p.label_ids)[keep].mean())}


def main(train, valid, base):
    model = AutoModelForMaskedLM.from_pretrained(base)
    args = TrainingArguments("mlm", eval_strategy="epoch")
    trainer = Trainer(
        model, args, train_dataset=train, eval_dataset=valid, compute_metrics=metrics,
        preprocess_logits_for_metrics=shrink,
    )
    trainer.train()


def only_loss(train, valid, base):
    model = AutoModelForMaskedLM.from_pretrained(base)
    trainer = Trainer(model, TrainingArguments("mlm"), train_dataset=train, eval_dataset=valid)
    trainer.train()
    return trainer.evaluate()["eval_loss"]
