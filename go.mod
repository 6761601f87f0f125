module sator

go 1.26
