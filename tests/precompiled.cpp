// Nothing: what tests include is precompiled for the targets that this belongs to.
