from transformers import (
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    T5ForConditionalGeneration,
    T5Tokenizer,
)


def main(train_ds, dev_ds, out_dir):
    tokenizer = T5Tokenizer.from_pretrained("t5-base")

    def metrics(p):
        preds = p.predictions[0].argmax(-1)
        return {"exact": float((preds == p.label_ids).all(-1).mean()), "vocab": len(tokenizer)}

    training_args = Seq2SeqTrainingArguments(out_dir, learning_rate=3e-4, predict_with_generate=False)
    trainer = Seq2SeqTrainer(
        model_init=lambda: T5ForConditionalGeneration.from_pretrained("t5-base"),
        args=training_args,
        train_dataset=train_ds,
        eval_dataset=dev_ds,
        compute_metrics=metrics,  #! MEM126
    )
    trainer.train()
